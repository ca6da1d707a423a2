import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { KillSwitch, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { type ById, useWallets } from "../../api/lookups.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { ResumePayoutsDialog } from "./resume-payouts-dialog.tsx";
import { StopPayoutsButton } from "./stop-payouts-button.tsx";
import { stoppedName, useKillSwitches, useMayRelease } from "./use-kill-switches.ts";

/** The active kill switches, with actions to set and release them. */
export function KillSwitches({ isOperator }: { readonly isOperator: boolean }) {
  const switches = useKillSwitches();
  const wallets = useWallets();
  const [released, setReleased] = useState<KillSwitch | null>(null);
  return (
    <Section
      title={t("Kill switches")}
      action={<StopPayoutsButton isOperator={isOperator} color="red.8" />}
    >
      <SwitchTable switches={switches} wallets={wallets} onRelease={setReleased} />
      <ResumePayoutsDialog
        released={released}
        onClose={() => {
          setReleased(null);
        }}
      />
    </Section>
  );
}

function SwitchTable({
  switches,
  wallets,
  onRelease,
}: {
  readonly switches: readonly KillSwitch[] | undefined;
  readonly wallets: ById<Wallet>;
  readonly onRelease: (killSwitch: KillSwitch) => void;
}) {
  const mayRelease = useMayRelease();
  return (
    <MiniTable
      name="Active kill switches"
      rows={switches}
      empty={t("Payouts are running.")}
      columns={[
        {
          header: "Stopped",
          cell: (killSwitch) => <StatusBadge tone="bad" label={stoppedName(killSwitch, wallets)} />,
        },
        {
          header: "Reason",
          cell: ({ attributes }) => attributes.reason ?? t("Not disclosed"),
        },
        {
          header: "Stopped by",
          cell: ({ attributes }) =>
            attributes.set_by ??
            (attributes.kind === "kill_switch" ? t("Operator") : automaticStops[attributes.kind]),
        },
        {
          header: "Since",
          cell: ({ attributes }) => <TimeText value={attributes.created_at} withSeconds />,
        },
        {
          header: "Action",
          align: "end",
          cell: (killSwitch) =>
            mayRelease(killSwitch) ? (
              <Button
                variant="default"
                size="xs"
                aria-label={t("Resume: {name}", { name: stoppedName(killSwitch, wallets) })}
                onClick={() => {
                  onRelease(killSwitch);
                }}
              >
                {t("Resume")}
              </Button>
            ) : (
              <Text component="span" c="dimmed" size="sm">
                {releasedBy[killSwitch.attributes.kind]}
              </Text>
            ),
        },
      ]}
    />
  );
}

const automaticStops = { reconciliation: t("Reconciliation"), restore: t("Restore") } as const;

const releasedBy = {
  kill_switch: t("Released by the operator"),
  reconciliation: t("Released automatically"),
  restore: t("Released by sluice resume"),
} as const;
