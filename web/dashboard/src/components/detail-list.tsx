import type { ReactNode } from "react";

export type Detail = { readonly label: string; readonly value: ReactNode };

/** Labels and values as a description list. */
export function DetailList({ details }: { readonly details: readonly Detail[] }) {
  return (
    <dl className="detail-list">
      {details.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}
