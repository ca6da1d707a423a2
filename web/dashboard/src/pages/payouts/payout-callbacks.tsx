import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { triggerInWords } from "../callbacks/trigger-in-words.ts";

/** Whom a payout's callbacks told, and whether they heard. */
export function PayoutCallbacks({ payoutId }: { readonly payoutId: string }) {
  const callbacks = useQuery({
    queryKey: ["payout", payoutId, "callbacks"],
    queryFn: async ({ signal }) => {
      const filter = { object_type: "payout", object_id: payoutId } as const;
      return (await api.list("/callback/", { filter, page: { size: 10 }, signal })).data;
    },
    refetchInterval: 5_000,
  });
  return (
    <Section title="Callbacks">
      <MiniTable
        name="Callbacks of this payout"
        rows={callbacks.data}
        empty="Nobody was told yet: there is no callback address, or nothing to tell."
        columns={[
          {
            header: "Told",
            cell: ({ id, attributes }) => (
              <TextLink to="/callbacks/$callbackId" params={{ callbackId: id }}>
                {triggerInWords(attributes.trigger)}
              </TextLink>
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
