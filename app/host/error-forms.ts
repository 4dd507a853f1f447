import * as v from 'valibot';
import { errorForm, type ErrorForm } from '../../shared/border/index.ts';
import { ENGINE_ERROR } from '../../shared/engine/protocol.ts';
import { OPEN_ERROR_KINDS, OpenError, TooLargeError } from './api.ts';
import { readOverview } from './overview.ts';

/** The classes of errors that borders of the app keep. */
export const ERROR_FORMS: readonly ErrorForm[] = [
  ENGINE_ERROR,
  errorForm(
    'OpenError',
    OpenError,
    v.object({ kind: v.picklist(OPEN_ERROR_KINDS), overview: v.optional(v.unknown()) }),
    (message, { kind, overview }) => {
      const known = readOverview(overview);
      return known === null ? new OpenError(kind, message) : new TooLargeError(message, known);
    },
  ),
];
