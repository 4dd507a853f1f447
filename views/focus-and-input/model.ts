import type { Known } from '../../shared/recording/index.ts';
import type { NamedProcess } from '../../shared/threads/index.ts';

/** What the user did. */
export type InputKind = 'key_down' | 'mouse_down' | 'mouse_up' | 'mouse_wheel' | 'mouse_move';

/** A span in which a process had the input focus of its session, as far as it lies in the trace. */
export interface FocusSpan extends NamedProcess {
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  readonly session: number | null;
  /** True where it had the focus before the trace. */
  readonly open_start: boolean;
  /** True where it still had the focus when the trace ended. */
  readonly open_end: boolean;
}

/** A process that had the focus in the range. */
export interface FocusLane extends NamedProcess {
  readonly pid: number;
  /** How long it had the focus in the range. */
  readonly focused_ns: number;
  /** In the order of time. */
  readonly spans: readonly FocusSpan[];
}

/** Something that the user did. */
export interface InputEvent {
  readonly ts: number;
  readonly kind: InputKind;
  /** The mouse button (0 left, 1 middle, 2 right), how far the wheel was turned (120 a notch), or the key's code. */
  readonly code: number | null;
  readonly key_name: string | null;
  /** Where the mouse was, in pixels from the left and the top. */
  readonly x: number | null;
  readonly y: number | null;
  /** The process that had the focus then; null if none had, or that was not recorded. */
  readonly focus: string | null;
}

/** All that the view draws. */
export interface FocusAndInputModel extends Known {
  /** Longest in focus first. */
  readonly lanes: readonly FocusLane[];
  /** How many input events there are in the range; `inputs` may be cut shorter. */
  readonly input_count: number;
  /** In the order of time. */
  readonly inputs: readonly InputEvent[];
}

/** All focus spans of the lanes in the order of time. */
export function spansOf({ lanes }: FocusAndInputModel): readonly FocusSpan[] {
  return lanes.flatMap(({ spans }) => spans).sort((a, b) => a.ts - b.ts);
}
