import { etwCatalog, loadCatalog, type Catalog } from '../editor/catalog.ts';
import type { Session } from '../session.ts';
import { loaded, type LoadedTrace } from '../state.ts';

let known: { readonly trace: LoadedTrace; readonly catalog: Catalog } | null = null;

/** The tables of the open trace: those of the package at once, and the engine's own once the engine has listed them. */
export function catalogOf(session: Session): Catalog {
  const trace = loaded.peek();
  if (trace === null) return etwCatalog();
  if (known?.trace !== trace) {
    known = { trace, catalog: known?.catalog ?? etwCatalog() };
    loadCatalog(session.outline).then(
      (catalog) => (known = { trace, catalog }),
      () => (known = null),
    );
  }
  return known.catalog;
}
