/** The worker that reads tables in columns for the page. */
import { pagePort, serve } from '../../shared/border/index.ts';
import { openArrowSet, type ArrowSet } from '../../shared/tables/arrow-set.ts';
import { blobSource } from './blob-source.ts';
import type { ColumnsCalls } from './columns-protocol.ts';

let tables: ArrowSet | null = null;

serve<ColumnsCalls>(
  pagePort(),
  {
    open(files) {
      tables = openArrowSet(new Map(files.map(({ table, blob }) => [table, blobSource(table, blob)])));
      return tables.infos;
    },
    read(which) {
      if (tables === null) throw new RangeError('no tables are open');
      return tables.read(...which);
    },
  },
  { handsOver: true },
);
