import { readRules, shippedRules } from '../../../shared/findings/index.ts';
import { bindSql } from '../../../shared/engine/index.ts';
import { pastQueries } from './history.ts';
import { openQuery } from './place-sql.ts';
import { tabTitle } from './tabs.ts';

/** What was run before, and the rules of the findings as queries. */
export function Library({ close }: { readonly close: () => void }) {
  const open = (sql: string) => {
    openQuery(sql);
    close();
  };
  // What is measured is no table that SQL could ask.
  const rules = readRules(shippedRules).rules.filter(({ measures }) => measures.length === 0);
  return (
    <div class="library">
      <section aria-label="History">
        <h3>History</h3>
        {pastQueries.value.length === 0 && <p class="hint">Nothing was run yet on this machine.</p>}
        <ul>
          {pastQueries.value.map(({ sql, ranAtMs }) => (
            <li key={sql}>
              <button type="button" class="plain" title={sql} onClick={() => open(sql)}>
                {tabTitle({ sql })}
              </button>
              <span class="hint">{new Date(ranAtMs).toLocaleString()}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Rules">
        <h3>Rules of the findings</h3>
        <ul>
          {rules.map(({ id, title, select, threshold }) => (
            <li key={id}>
              <button
                type="button"
                class="plain"
                onClick={() => open(bindSql(select, { threshold: threshold.value }))}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
