import { answer, own, pageView } from '../kit/index.ts';
import { answerTimeline } from './answer.ts';
import { drawStill } from './still-tracks.ts';
import { drawTimeline } from './draw.ts';
import { judgeTimeline, loadTimeline } from './load.ts';
import { params, recording } from './params.ts';
import { timelineTables } from './tables.ts';
import { sentencesOf } from './words.ts';
import sql from './query.sql';

/** What happened, on one axis? */
export const timeline = pageView({
  id: 'timeline',
  title: 'Timeline',
  question: 'What did every CPU and every thread do, and when?',
  sql,
  params,
  paramsFor: ({ thread, pid }) => {
    const names = [thread === null ? [] : `t${thread.tid}`, pid === null ? [] : `p${pid}`].flat();
    return names.length === 0 ? {} : { pinned: names.join(' ') };
  },
  modules: ['etw.focus', 'etw.io', 'etw.ready_wait'],
  whole: true,
  recording,
  keys: [
    { key: '↑ ↓', title: 'Go to another track' },
    { key: 'Enter', title: 'Open or close a process; choose what a track did in the middle' },
    { key: ', .', title: 'Choose what the track did before or after' },
    { key: '[ ]', title: 'Go to who woke the chosen thread; back, or to whom it woke' },
    { key: 'X', title: 'Pin the track to the top, or let it go' },
    { key: 'H', title: 'Make the track high, or as it was' },
    { key: 'O', title: 'Order by what the tracks did in the range in view; again: in all' },
  ],
  load: loadTimeline,
  answer: answerTimeline,
  later: { modules: ['etw.sample'], load: judgeTimeline },
  tables: timelineTables,
  page: (model, context) => [
    answer(sentencesOf(model)),
    own(
      (parent) => drawTimeline(parent, model, context),
      (still) => drawStill(still, model, context),
    ),
  ],
});
