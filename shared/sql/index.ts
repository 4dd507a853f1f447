import affinity from './etw/affinity.sql';
import contextSwitch from './etw/context_switch.sql';
import counter from './etw/counter.sql';
import cpu from './etw/cpu.sql';
import cpuStep from './etw/cpu_step.sql';
import cpuSwitches from './etw/cpu_switches.sql';
import focus from './etw/focus.sql';
import freeze from './etw/freeze.sql';
import genericEvent from './etw/generic_event.sql';
import handle from './etw/handle.sql';
import idealCpu from './etw/ideal_cpu.sql';
import image from './etw/image.sql';
import interrupt from './etw/interrupt.sql';
import io from './etw/io.sql';
import judgedRank from './etw/judged_rank.sql';
import names from './etw/names.sql';
import power from './etw/power.sql';
import priority from './etw/priority.sql';
import process from './etw/process.sql';
import processExit from './etw/process_exit.sql';
import processExitWait from './etw/process_exit_wait.sql';
import profileInterval from './etw/profile_interval.sql';
import ran from './etw/ran.sql';
import rankChange from './etw/rank_change.sql';
import readyWait from './etw/ready_wait.sql';
import readyWaitBin from './etw/ready_wait_bin.sql';
import readyWaitHeld from './etw/ready_wait_held.sql';
import readyWaitHistory from './etw/ready_wait_history.sql';
import readyWaitLength from './etw/ready_wait_length.sql';
import readyWaitLong from './etw/ready_wait_long.sql';
import readyWaitRank from './etw/ready_wait_rank.sql';
import readyWaitReason from './etw/ready_wait_reason.sql';
import readyWaitReasonCode from './etw/ready_wait_reason_code.sql';
import readyWaitRecorded from './etw/ready_wait_recorded.sql';
import run from './etw/run.sql';
import runCounter from './etw/run_counter.sql';
import runFact from './etw/run_fact.sql';
import sample from './etw/sample.sql';
import sched from './etw/sched.sql';
import service from './etw/service.sql';
import stack from './etw/stack.sql';
import stackFrame from './etw/stack_frame.sql';
import switches from './etw/switch.sql';
import symbol from './etw/symbol.sql';
import threadRank from './etw/thread_rank.sql';
import trace from './etw/trace.sql';
import words from './etw/words.sql';
import userLock from './etw/user_lock.sql';

/** A module of a PerfettoSQL package. Its name starts with the package's. */
export interface SqlModule {
  readonly name: string;
  readonly sql: string;
}

/** The package `etw`, each module after those that it includes. */
export const etwModules: readonly SqlModule[] = [
  { name: 'etw.trace', sql: trace },
  { name: 'etw.generic_event', sql: genericEvent },
  { name: 'etw.service', sql: service },
  { name: 'etw.process', sql: process },
  { name: 'etw.handle', sql: handle },
  { name: 'etw.process_exit', sql: processExit },
  { name: 'etw.names', sql: names },
  { name: 'etw.words', sql: words },
  { name: 'etw.run_fact', sql: runFact },
  { name: 'etw.run', sql: run },
  { name: 'etw.ran', sql: ran },
  { name: 'etw.interrupt', sql: interrupt },
  { name: 'etw.affinity', sql: affinity },
  { name: 'etw.ideal_cpu', sql: idealCpu },
  { name: 'etw.power', sql: power },
  { name: 'etw.freeze', sql: freeze },
  { name: 'etw.ready_wait_recorded', sql: readyWaitRecorded },
  { name: 'etw.ready_wait_held', sql: readyWaitHeld },
  { name: 'etw.ready_wait_rank', sql: readyWaitRank },
  { name: 'etw.judged_rank', sql: judgedRank },
  { name: 'etw.ready_wait', sql: readyWait },
  { name: 'etw.ready_wait_reason_code', sql: readyWaitReasonCode },
  { name: 'etw.ready_wait_reason', sql: readyWaitReason },
  { name: 'etw.ready_wait_history', sql: readyWaitHistory },
  { name: 'etw.ready_wait_length', sql: readyWaitLength },
  { name: 'etw.ready_wait_long', sql: readyWaitLong },
  { name: 'etw.ready_wait_bin', sql: readyWaitBin },
  { name: 'etw.process_exit_wait', sql: processExitWait },
  { name: 'etw.symbol', sql: symbol },
  { name: 'etw.image', sql: image },
  { name: 'etw.stack', sql: stack },
  { name: 'etw.stack_frame', sql: stackFrame },
  { name: 'etw.switch', sql: switches },
  { name: 'etw.context_switch', sql: contextSwitch },
  { name: 'etw.counter', sql: counter },
  { name: 'etw.run_counter', sql: runCounter },
  { name: 'etw.cpu_step', sql: cpuStep },
  { name: 'etw.cpu', sql: cpu },
  { name: 'etw.cpu_switches', sql: cpuSwitches },
  { name: 'etw.priority', sql: priority },
  { name: 'etw.rank_change', sql: rankChange },
  { name: 'etw.thread_rank', sql: threadRank },
  { name: 'etw.profile_interval', sql: profileInterval },
  { name: 'etw.sample', sql: sample },
  { name: 'etw.io', sql: io },
  { name: 'etw.sched', sql: sched },
  { name: 'etw.focus', sql: focus },
  { name: 'etw.user_lock', sql: userLock },
];
