import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { triggerInWords } from "../callbacks/trigger-in-words.ts";

/** What a shop was told about a deposit, and whether it heard. */
export function DepositCallbacks({ depositId }: { readonly depositId: string }) {
  const callbacks = useQuery({
    queryKey: ["deposit", depositId, "callbacks"],
    queryFn: async ({ signal }) => {
      const filter = { object_type: "deposit", object_id: depositId } as const;
      return (await api.list("/callback/", { filter, page: { size: 10 }, signal })).data;
    },
    refetchInterval: 5_000,
  });
  return (
    <Section title="Callbacks">
      <MiniTable
        name="Callbacks of this deposit"
        rows={callbacks.data}
        empty="Nobody was told yet: there is no callback address, or nothing to tell."
        columns={[
          {
            header: "Told",
            cell: ({ id, attributes }) => (
              <PathLink to={`/callbacks/${id}`}>{triggerInWords(attributes.trigger)}</PathLink>
            ),
          },
          {
            header: "State",
            cell: ({ attributes }) => <StatusBadge kind="callback" value={attributes.status} />,
          },
          { header: "Attempts", align: "end", cell: ({ attributes }) => attributes.attempts },
          { header: "Made", cell: ({ attributes }) => <TimeText value={attributes.created_at} /> },
        ]}
      />
    </Section>
  );
}
