import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { markdown, readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { relay, whole } from './testing.ts';
import { wakeChain } from './view.ts';

const params = readParams(wakeChain.params, { ts: 10_140, tid: 111 });

const load = async () => {
  const query = await queryOf(relay(3, [0]).fact(whole.end, 'etw.end'));
  return wakeChain.load(query, params, whole);
};

test('as Markdown: both chains as tables, with trace text escaped', async () => {
  const model = await load();
  const [link, ...links] = model.links;
  if (link === undefined) throw new Error('no link');
  const hostile = { ...model, links: [{ ...link, process: '<b>|x_y' }, ...links] };
  expect(markdown('Wake chain', wakeChain.tables(hostile), hostile.origin_ns)).toMatchInlineSnapshot(`
    "# Wake chain

    ## In short

    | Sentence |
    | --- |
    | Most time went by while p0.exe (tid 101) was blocked (UserRequest): 7.97 µs. |
    | p0.exe (tid 101) was woken from a DPC (a timer, finished I/O or another interrupt): no thread stands behind it. It had been blocked for 7.99 µs (UserRequest); go past the DPC to see what it did before. |
    | 1 thread of 1 process released, ending 8.19 µs of waiting. |

    ## Who woke it

    | Thread | Ran at | Ran for | Runs | Ready |  | Blocked | Wait reason | Rank | Priority | Woken at | Woken by | Thread name |
    | --- | ---: | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: | --- | --- |
    | \\<b\\>\\|x\\_y (tid 111) | 0.000009 s | 80 ns | 1 | 40 ns |  | 8.07 µs | UserRequest | 0 | 9 | 0.000009 s | p0.exe (tid 101) | – |
    | p0.exe (tid 101) | 0.000009 s | 60 ns | 1 | 40 ns |  | 7.99 µs | UserRequest | 0 | 9 | 0.000009 s | a DPC | – |

    ## What it released

    | Depth | Thread |  | Waited | Ready | Wait reason | Rank | Priority | Woken at | Ran at | Thread name |
    | ---: | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |
    | 1 | p2.exe (tid 121) |  | 8.19 µs | 40 ns | UserRequest | 0 | 9 | 0.000009 s | 0.000009 s | – |

    ## Released by process

    | Process | Process id | Threads |  | Waited, sum | Longest |
    | --- | --- | ---: | --- | ---: | ---: |
    | p2.exe | 120 | 1 |  | 8.19 µs | 8.19 µs |
    "
  `);
});

test('a still is one SVG with both chains, and trace text as text', async () => {
  const { svg } = stillOf(wakeChain, await load(), whole, params);
  expect([...svg.querySelectorAll('.span-label')].map(({ textContent }) => textContent))
    .toMatchInlineSnapshot(`
    [
      "blocked 8.07 µs",
      "blocked 7.99 µs",
      "blocked 8.15 µs",
    ]
  `);
});
