import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { type ById, useWallets } from "../../api/lookups.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { StopPayoutsButton } from "./stop-payouts-button.tsx";

function useSwitches() {
  return useQuery({
    queryKey: ["kill-switches"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/kill-switch/", { signal })),
    refetchInterval: 5_000,
  });
}

type KillSwitch = NonNullable<ReturnType<typeof useSwitches>["data"]>[number];

/** The active kill switches, with actions to set and release them. */
export function KillSwitches({ isOperator }: { readonly isOperator: boolean }) {
  const { data } = useSwitches();
  const wallets = useWallets();
  const queryClient = useQueryClient();
  const [released, setReleased] = useState<KillSwitch | null>(null);
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: ["kill-switches"] });
    void queryClient.invalidateQueries({ queryKey: ["chains"] });
  };
  return (
    <Section
      title={t("Kill switches")}
      action={<StopPayoutsButton isOperator={isOperator} color="red.8" />}
    >
      <SwitchTable
        switches={data}
        wallets={wallets}
        isOperator={isOperator}
        onRelease={setReleased}
      />
      <ConfirmDialog
        isOpen={released !== null}
        onClose={() => {
          setReleased(null);
        }}
        title={t("Resume payouts?")}
        action={t("Resume payouts")}
        act={async () => {
          if (released !== null)
            await api.post("/kill-switch/{switch}/release/", { switch: released.id });
        }}
        onDone={refresh}
      >
        <Group>
          {released === null
            ? null
            : t("{name}: pending payouts are sent and new ones are accepted.", {
                name: nameOf(released, wallets),
              })}
        </Group>
      </ConfirmDialog>
    </Section>
  );
}

function SwitchTable({
  switches,
  wallets,
  isOperator,
  onRelease,
}: {
  readonly switches: readonly KillSwitch[] | undefined;
  readonly wallets: ById<Wallet>;
  readonly isOperator: boolean;
  readonly onRelease: (killSwitch: KillSwitch) => void;
}) {
  return (
    <MiniTable
      name="Active kill switches"
      rows={switches}
      empty={t("Payouts are running.")}
      columns={[
        {
          header: "Stopped",
          cell: (killSwitch) => <StatusBadge tone="bad" label={nameOf(killSwitch, wallets)} />,
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
            mayRelease(killSwitch, isOperator) ? (
              <Button
                variant="default"
                size="xs"
                aria-label={t("Resume: {name}", { name: nameOf(killSwitch, wallets) })}
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

function mayRelease({ attributes }: KillSwitch, isOperator: boolean): boolean {
  return attributes.kind === "kill_switch" && (isOperator || attributes.scope === "wallet");
}

function nameOf({ attributes, relationships }: KillSwitch, wallets: ById<Wallet>): string {
  if (attributes.scope === "all") return t("All payouts");
  if (attributes.scope === "chain")
    return attributes.stops_crediting
      ? t("Payouts and credits on {chain}", { chain: attributes.chain ?? "" })
      : t("Payouts on {chain}", { chain: attributes.chain ?? "" });
  const id = relationships.wallet.data?.id ?? "";
  return t("Wallet {name}", { name: wallets.get(id)?.attributes.label ?? id });
}
