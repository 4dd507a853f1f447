import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeLink, NO_LINK, readLink } from '../../shared/link/index.ts';
import { withBundle } from '../host/bundle/read.ts';
import { contentHash } from '../host/content-hash.ts';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const trace = join(folder, 'minimal.etl');
const outrank = outrankIn(folder);

describeReal('links on the command line', () => {
  let link: string;
  beforeAll(async () => {
    writeTrace(trace, 'minimal');
    const place = ['--view', 'ready-latency', '--param', 'process=a', '--from', '0s', '--thread', '2004@1ms'];
    const { stdout } = await outrank('link', 'make', trace, ...place, '--title', 'Here');
    link = stdout.trim();
  });

  test('a link says the place it was made of, and nothing of where the trace lies', async () => {
    const { state, notes } = await readLink(link);
    const start = (state.place.range ?? { start: NaN }).start;
    expect({ state, notes }).toEqual({
      state: {
        title: 'Here',
        trace: { id: await contentHash(trace), name: 'minimal.etl', sizeBytes: 24_576 },
        place: {
          ...NO_LINK.place,
          view: 'ready-latency',
          params: { process: 'a' },
          range: { start, end: state.place.range?.end },
          selection: { span: null, thread: { tid: 2004, ts: start + 1_000_000 }, pid: null },
        },
        panels: [],
      },
      notes: [],
    });
    const { code, stdout } = await outrank('link', 'read', link);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name +Here\ntrace +minimal\.etl, /);
    expect(stdout).not.toContain(folder);
  });

  test.each([
    [['--thread', '9@1ms'], '--thread 9: no thread of this trace has this id'],
    [['--thread', '99999@1s'], '--thread 99999: no thread of this trace has this id'],
    [['--pid', '99999'], '--pid 99999: no process of this trace has this id'],
  ])('what is not in the trace cannot be chosen: %s', async (chosen, message) => {
    const { code, stdout, stderr } = await outrank('link', 'make', trace, ...chosen);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`outrank: ${message}`);
  });

  test('a mistyped thread is told by the nearest one', async () => {
    const storm = writeTrace(join(folder, 'lock.etl'), 'user-lock');
    const { stderr } = await outrank('link', 'make', storm, '--thread', '1014@1ms');
    expect(stderr).toBe('outrank: --thread 1014: no thread of this trace has this id: did you mean 1004?\n');
  });

  test('a bundle is asked like its trace; one for a link of another trace is refused', async () => {
    const bundle = join(folder, 'here.outrank');
    expect(await outrank('bundle', trace, '--state', link, '-o', bundle)).toEqual({
      code: 0,
      stdout: `${bundle}\n`,
      stderr: '',
    });
    const asked = ['--sql', 'SELECT count(*) AS n FROM sched', '--format', 'csv'];
    const [ofBundle, ofTrace] = [
      await outrank('query', bundle, ...asked),
      await outrank('query', trace, ...asked),
    ];
    expect(ofBundle.stdout).toMatch(/^n\r?\n\d+/);
    expect(ofBundle).toEqual(ofTrace);
    const other = writeTrace(join(folder, 'other.etl'), 'lock-screen');
    const { code, stderr } = await outrank('bundle', other, '--state', link, '-o', bundle);
    expect(code).toBe(1);
    expect(stderr).toContain("other.etl is another trace than the link's");
  });

  test('a bundle takes along the trace that its link compares, and no other', async () => {
    const after = writeTrace(join(folder, 'after.etl'), 'lock-screen');
    const { state } = await readLink(link);
    const params = { other: await contentHash(after), other_name: 'after.etl' };
    const compared = await makeLink({ ...state, place: { ...NO_LINK.place, view: 'compare', params } });
    const bundle = join(folder, 'both.outrank');
    const made = await outrank('bundle', trace, '--state', compared, '--compared', after, '-o', bundle);
    expect(made).toEqual({ code: 0, stdout: `${bundle}\n`, stderr: '' });
    const { files, others } = await withBundle(bundle, (contents) => Promise.resolve(contents));
    expect({ files, others }).toEqual({ files: ['minimal.etl'], others: [['others/1/after.etl']] });
    const { code, stderr } = await outrank(
      'bundle',
      trace,
      '--state',
      link,
      '--compared',
      after,
      '-o',
      bundle,
    );
    expect(code).toBe(1);
    expect(stderr).toContain('after.etl: the link compares nothing with this file');
  });

  test('what is no link, or of a trace that is not known here, is said in one line', async () => {
    const bad = await outrank('link', 'read', 'outrank://open#3.AAAA');
    expect(bad).toMatchObject({ code: 1, stdout: '' });
    expect(bad.stderr).toMatch(/^outrank: the link is damaged.*\n$/);
    const { stdout: foreign } = await outrank('link', 'make', trace);
    const opened = await outrankIn(folder, 'another-cache')('open', foreign.trim());
    expect(opened.code).toBe(2);
    expect(opened.stderr).toContain('the link is of minimal.etl, which was not opened here before');
  });
});
