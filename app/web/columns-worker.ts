/** The worker that reads tables in columns for the page. */
import { openArrowSet, type ArrowSet } from '../../shared/tables/arrow-set.ts';
import { messageOf } from '../../shared/model/message.ts';
import { blobSource } from './blob-source.ts';
import type { FromColumns, ToColumns } from './columns-protocol.ts';

let tables: ArrowSet | null = null;

const tell = (told: FromColumns, transfer: ArrayBuffer[] = []): void => self.postMessage(told, { transfer });

self.onmessage = ({ data }: MessageEvent<ToColumns>) => {
  const { id } = data;
  try {
    if (data.call === 'open') {
      tables = openArrowSet(new Map(data.files.map(({ table, blob }) => [table, blobSource(table, blob)])));
      tell({ id, infos: tables.infos });
    } else if (tables !== null) {
      const bytes = tables.read(...data.which);
      tell({ id, bytes }, [bytes.buffer]);
    }
  } catch (error) {
    tell({ id, message: messageOf(error), isRange: error instanceof RangeError });
  }
};
