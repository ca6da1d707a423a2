import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { t } from "../../language/t.ts";

/** The account's payout allowlist, if it is enforced. */
export function Allowlist() {
  const payees = useQuery({
    queryKey: ["payees"],
    queryFn: async ({ signal }) =>
      (await api.list("/payee/", { page: { size: 100 }, signal })).data,
  });
  const isEnforced = payees.data?.some(({ attributes }) => attributes.is_enforced) === true;
  if (!isEnforced) return null;
  return (
    <div className="below-table">
      <Section title={t("Allowlist")}>
        <MiniTable
          name="Allowlist"
          rows={payees.data}
          empty={t("The allowlist is empty. No payouts are allowed.")}
          columns={[
            {
              header: "Name",
              cell: ({ attributes }) => (attributes.label === "" ? "–" : attributes.label),
            },
            { header: "Blockchain", cell: ({ attributes }) => attributes.chain },
            {
              header: "Address",
              cell: ({ attributes }) => <CodeText value={attributes.address} label="address" />,
            },
            { header: "Tag", cell: ({ attributes }) => attributes.tag ?? "–" },
          ]}
        />
      </Section>
    </div>
  );
}
