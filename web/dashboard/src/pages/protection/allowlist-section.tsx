import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Payee } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";
import { AddPayeeDialog } from "./add-payee-dialog.tsx";
import { LooseningNote } from "./loosening-note.tsx";
import { askForChange, useChanged, useProtection } from "./use-protection.ts";

type Open =
  | { readonly kind: "add" }
  | { readonly kind: "remove"; readonly payee: Payee }
  | { readonly kind: "switch"; readonly isEnforced: boolean };

/** The addresses that may be paid, and whether only they may. */
export function AllowlistSection() {
  const { data: protection } = useProtection();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => {
    setOpen(null);
  };
  const isEnforced = protection?.attributes.is_allowlist_enforced;
  return (
    <Section
      title={t("Allowlist")}
      action={
        <Group gap="xs">
          {isEnforced === undefined ? null : (
            <Button
              variant="default"
              onClick={() => {
                setOpen({ kind: "switch", isEnforced: !isEnforced });
              }}
            >
              {isEnforced ? t("Turn off allowlist") : t("Turn on allowlist")}
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => {
              setOpen({ kind: "add" });
            }}
          >
            {t("Allow address")}
          </Button>
        </Group>
      }
    >
      <Stack>
        {isEnforced === undefined ? null : <Enforcement isEnforced={isEnforced} />}
        <PayeeTable
          onRemove={(payee) => {
            setOpen({ kind: "remove", payee });
          }}
        />
      </Stack>
      {open?.kind === "add" ? <AddPayeeDialog onClose={close} /> : null}
      <RemoveDialog payee={open?.kind === "remove" ? open.payee : null} onClose={close} />
      <SwitchDialog to={open?.kind === "switch" ? open.isEnforced : null} onClose={close} />
    </Section>
  );
}

function Enforcement({ isEnforced }: { readonly isEnforced: boolean }) {
  return (
    <Group gap="xs">
      {isEnforced ? (
        <StatusBadge tone="good" label={t("On")} />
      ) : (
        <StatusBadge tone="neutral" label={t("Off")} />
      )}
      <Text size="sm">
        {isEnforced ? t("Only these addresses can be paid.") : t("Any address can be paid.")}
      </Text>
    </Group>
  );
}

function PayeeTable({ onRemove }: { readonly onRemove: (payee: Payee) => void }) {
  const payees = useQuery({
    queryKey: ["payees", "all"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/payee/", { signal })),
  });
  return (
    <MiniTable
      name="Allowlist"
      rows={payees.data}
      empty={t("The allowlist is empty.")}
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
        {
          header: "Actions",
          cell: (payee) => (
            <Button
              size="xs"
              variant="default"
              aria-label={t("Remove {name}", {
                name: `${payee.attributes.label} ${payee.attributes.address}`,
              })}
              onClick={() => {
                onRemove(payee);
              }}
            >
              {t("Remove")}
            </Button>
          ),
        },
      ]}
    />
  );
}

function RemoveDialog({
  payee,
  onClose,
}: {
  readonly payee: Payee | null;
  readonly onClose: () => void;
}) {
  const changed = useChanged();
  return (
    <ConfirmDialog
      isOpen={payee !== null}
      onClose={onClose}
      title={t("Remove this address?")}
      action={t("Remove address")}
      isDangerous
      act={async () => {
        if (payee === null) return;
        const { data } = await askForChange({
          attributes: { kind: "payee_removal" },
          relationships: { payee: { type: "payee", id: payee.id } },
        });
        changed(data);
      }}
    >
      {payee === null ? null : <CodeText value={payee.attributes.address} label="address" />}
      <Text size="sm">
        {t(
          "This takes effect immediately. While the allowlist is on, payouts to this address are refused.",
        )}
      </Text>
    </ConfirmDialog>
  );
}

function SwitchDialog({
  to,
  onClose,
}: {
  /** Null: closed. */
  readonly to: boolean | null;
  readonly onClose: () => void;
}) {
  const changed = useChanged();
  return (
    <ConfirmDialog
      isOpen={to !== null}
      onClose={onClose}
      title={to === true ? t("Turn on the allowlist?") : t("Turn off the allowlist?")}
      action={to === true ? t("Turn on allowlist") : t("Turn off allowlist")}
      isDangerous
      act={async () => {
        if (to !== null)
          changed(
            (await askForChange({ attributes: { kind: "allowlist", is_enforced: to } })).data,
          );
      }}
    >
      {to === true ? (
        <Text size="sm">
          {t(
            "This takes effect immediately. Payouts to other addresses are refused; while the list is empty, all payouts are.",
          )}
        </Text>
      ) : (
        <LooseningNote />
      )}
    </ConfirmDialog>
  );
}
