import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";

/** The whitelist, where the account pays to nobody else; nothing where it pays to anybody. */
export function PayeeList() {
  const payees = useQuery({
    queryKey: ["payees"],
    queryFn: async ({ signal }) =>
      (await api.list("/payee/", { page: { size: 100 }, signal })).data,
  });
  const isEnforced = payees.data?.some(({ attributes }) => attributes.is_enforced) === true;
  if (!isEnforced) return null;
  return (
    <div className="below-table">
      <Section title="Whitelist">
        <MiniTable
          name="Whitelist"
          rows={payees.data}
          empty="Nobody may be paid."
          columns={[
            {
              header: "Name",
              cell: ({ attributes }) => (attributes.label === "" ? "–" : attributes.label),
            },
            { header: "Blockchain", cell: ({ attributes }) => attributes.chain },
            {
              header: "Address",
              cell: ({ attributes }) => <CodeText value={attributes.address} label="the address" />,
            },
            { header: "Tag", cell: ({ attributes }) => attributes.tag ?? "–" },
          ]}
        />
      </Section>
    </div>
  );
}
