import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { ChangeDetails } from "./change-details.tsx";
import { changeStatuses, changeTitle } from "./change-text.ts";
import { actorName } from "./waiting-changes.tsx";

/** The newest changes; the audit log has all of them. */
export function ChangeHistory() {
  const { data } = useQuery({
    queryKey: ["protection-changes", "newest"],
    queryFn: async ({ signal }) =>
      (await api.list("/protection-change/", { page: { size: 20 }, signal })).data,
  });
  return (
    <Section title={t("Recent changes")}>
      <MiniTable
        name="Recent changes"
        rows={data}
        empty={t("No changes yet.")}
        columns={[
          {
            header: "Created",
            cell: ({ attributes }) => <TimeText value={attributes.created_at} />,
          },
          { header: "Change|noun", cell: ({ attributes }) => changeTitle(attributes) },
          { header: "Details", cell: (change) => <ChangeDetails change={change} /> },
          { header: "Requested by", cell: ({ attributes }) => actorName(attributes.created_by) },
          {
            header: "Decided by",
            cell: ({ attributes }) =>
              attributes.decided_at === null ? "–" : actorName(attributes.decided_by),
          },
          {
            header: "Status",
            cell: ({ attributes }) => <StatusBadge {...changeStatuses[attributes.status]} />,
          },
        ]}
      />
    </Section>
  );
}
