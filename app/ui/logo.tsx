/** The mark: three lanes, the last one ranked. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect class="logo-ground" width="32" height="32" rx="7" />
      <rect class="logo-lane" x="6" y="7" width="20" height="4" rx="2" />
      <rect class="logo-lane" x="6" y="14" width="12" height="4" rx="2" />
      <rect class="logo-ranked" x="6" y="21" width="16" height="4" rx="2" />
    </svg>
  );
}
