import * as v from 'valibot';
import { dashboardFields } from '../panel/dashboard.ts';
import { panelParams } from './params.ts';

/** One panel of a dashboard in a link. */
export interface LinkedCard {
  /** The name of one of the link's panels. */
  readonly panel: string;
  /** Its params here that differ from their defaults; absent if none does. */
  readonly params?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  /** How many columns it takes. */
  readonly width: number;
}

/** A dashboard that goes with a link: how it is arranged. The texts of its panels are the link's panels. */
export interface LinkedDashboard {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly title: string;
  readonly columns: number;
  readonly panels: readonly LinkedCard[];
}

const { name, title, columns, width } = dashboardFields;

/** A dashboard as a link says it; its panels are read one by one. */
export const linkedDashboard = v.object({ name, title, columns, panels: v.optional(v.unknown()) });

/** One panel of it; that there is such a panel is for who has the whole link to check. */
export const linkedCard = v.object({ panel: v.string(), params: panelParams, width });
