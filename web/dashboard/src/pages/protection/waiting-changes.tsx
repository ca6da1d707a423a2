import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ProtectionChange } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { errorText } from "../../language/error-text.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { ChangeDetails } from "./change-details.tsx";
import { changeTitle } from "./change-text.ts";
import { useChanged, useWaitingChanges } from "./use-protection.ts";

type Action = "approve" | "reject" | "withdraw";
type Open = { readonly action: Action; readonly change: ProtectionChange };

const actions: Readonly<
  Record<Action, { readonly label: string; readonly question: string; readonly note: string }>
> = {
  approve: {
    label: t("Approve change"),
    question: t("Approve this change?"),
    note: t("It takes effect immediately and makes payouts less restricted."),
  },
  reject: {
    label: t("Reject change"),
    question: t("Reject this change?"),
    note: t("Nothing changes. It can be requested again."),
  },
  withdraw: {
    label: t("Withdraw change"),
    question: t("Withdraw this change?"),
    note: t("Nothing changes. You can request it again."),
  },
};

/** The changes that wait for a second member or for their period; nothing where there are none. */
export function WaitingChanges() {
  const { data: changes = [] } = useWaitingChanges();
  const [open, setOpen] = useState<Open | null>(null);
  const changed = useChanged();
  const words = actions[open?.action ?? "approve"];
  return (
    <>
      {changes.length === 0 ? null : (
        <Section title={t("Pending changes")}>
          <ul className="plain-list" aria-label={t("Pending changes")}>
            {changes.map((change) => (
              <li key={change.id}>
                <WaitingChange change={change} onOpen={setOpen} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <ConfirmDialog
        isOpen={open !== null}
        onClose={() => {
          setOpen(null);
        }}
        title={words.question}
        action={words.label}
        isDangerous={open?.action === "approve"}
        size="lg"
        act={async () => {
          if (open !== null) changed(await send(open));
        }}
      >
        {open === null ? null : (
          <Stack gap="xs">
            <Text fw={600}>{changeTitle(open.change.attributes)}</Text>
            <ChangeDetails change={open.change} />
            <Text size="sm">{words.note}</Text>
          </Stack>
        )}
      </ConfirmDialog>
    </>
  );
}

async function send({ action, change: { id } }: Open): Promise<ProtectionChange> {
  const path = `/protection-change/{id}/${action}/` as const;
  return (await withReauthentication(() => api.post(path, { id }))).data;
}

function WaitingChange({
  change,
  onOpen,
}: {
  readonly change: ProtectionChange;
  readonly onOpen: (open: Open) => void;
}) {
  const { attributes } = change;
  const {
    applies_at: appliesAt,
    expires_at: expiresAt,
    may_approve: mayApprove,
    may_withdraw: mayWithdraw,
    approve_refusal: refusal,
  } = attributes;
  const button = (action: Action, label: string, name: string, isMain = false) => (
    <Button
      size="xs"
      {...(isMain ? {} : { variant: "default" })}
      aria-label={name}
      onClick={() => {
        onOpen({ action, change });
      }}
    >
      {label}
    </Button>
  );
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={2}>
        <Text fw={600}>{changeTitle(attributes)}</Text>
        <ChangeDetails change={change} />
        <Text size="sm" c="dimmed">
          {rich("Requested by {name}, {time}", {
            name: actorName(attributes.created_by),
            time: <TimeText value={attributes.created_at} />,
          })}
        </Text>
        {attributes.note === "" ? null : <Text size="sm">{attributes.note}</Text>}
        <Text size="sm" c="dimmed">
          {appliesAt === null
            ? rich("Expires {time}", { time: <TimeText value={expiresAt} /> })
            : rich("Takes effect {time}", { time: <TimeText value={appliesAt} /> })}
        </Text>
        {mayApprove || mayWithdraw || refusal === null ? null : (
          <Text size="sm" c="dimmed">
            {errorText(refusal.detail)}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        {mayWithdraw
          ? button("withdraw", t("Withdraw"), t("Withdraw change {id}", { id: change.id }))
          : button("reject", t("Reject"), t("Reject change {id}", { id: change.id }))}
        {mayApprove
          ? button("approve", t("Approve"), t("Approve change {id}", { id: change.id }), true)
          : null}
      </Group>
    </Group>
  );
}

/** The name of a member who acted; "Operator or service" without one. */
export function actorName(actor: { readonly name: string } | null): string {
  return actor?.name ?? t("Operator or service");
}
