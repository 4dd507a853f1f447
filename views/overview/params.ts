import { rowsParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the overview. */
export const params = {
  limit: rowsParam('How many ready waits, processes and freezes are listed.', 12, 100),
};

/** Values for them. */
export type OverviewParams = ParamValues<typeof params>;
