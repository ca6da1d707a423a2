import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { triggerLabel } from "../../components/trigger-label.ts";
import { t } from "../../language/t.ts";
import { CallbackBadge } from "./callback-badge.tsx";

/** The latest callbacks of one deposit or payout. */
export function ObjectCallbacks({
  type,
  id,
  url,
}: {
  readonly type: "deposit" | "payout";
  readonly id: string;
  /** The object's own callback URL; null if there is none. */
  readonly url: string | null;
}) {
  const callbacks = useQuery({
    queryKey: [type, id, "callbacks"],
    queryFn: async ({ signal }) => {
      const filter = { object_type: type, object_id: id };
      return (await api.list("/callback/", { filter, page: { size: 10 }, signal })).data;
    },
    refetchInterval: 5_000,
  });
  return (
    <Section title={t("Webhooks")}>
      <MiniTable
        name={type === "deposit" ? "Webhooks of this deposit" : "Webhooks of this payout"}
        rows={callbacks.data}
        empty={url === null ? t("No callback URL is set.") : t("No webhooks yet.")}
        columns={[
          {
            header: "Event",
            cell: ({ id: callbackId, attributes }) => (
              <TextLink to="/webhooks/deliveries/$callbackId" params={{ callbackId }}>
                {triggerLabel(attributes.trigger)}
              </TextLink>
            ),
          },
          {
            header: "Status",
            cell: ({ attributes }) => <CallbackBadge attributes={attributes} />,
          },
          { header: "Attempts", align: "end", cell: ({ attributes }) => attributes.attempts },
          {
            header: "Created",
            cell: ({ attributes }) => <TimeText value={attributes.created_at} />,
          },
        ]}
      />
    </Section>
  );
}
