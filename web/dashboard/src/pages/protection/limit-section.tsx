import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PayoutLimit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { t } from "../../language/t.ts";
import { spanNames } from "./change-text.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { LooseningNote } from "./loosening-note.tsx";
import { askForChange, useChanged } from "./use-protection.ts";

type Open =
  | { readonly kind: "new" }
  | { readonly kind: "change" | "remove"; readonly limit: PayoutLimit };

/** The amounts above which payouts need approval; Owners and Admins change those of their account. */
export function LimitSection() {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const changed = useChanged();
  const [open, setOpen] = useState<Open | null>(null);
  const { data } = useQuery({
    queryKey: ["payout-limits"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/payout-limit/", { signal })),
  });
  const close = (): void => {
    setOpen(null);
  };
  const scopeOf = ({ attributes, relationships: { wallet } }: PayoutLimit): string => {
    if (attributes.is_default) return t("Set by the operator");
    if (wallet.data === null) return t("All wallets");
    return (
      wallets.get(wallet.data.id)?.attributes.label ?? t("Wallet {name}", { name: wallet.data.id })
    );
  };
  const nameOf = (limit: PayoutLimit): string =>
    [
      codeOf(currencies, limit.relationships.currency.data.id),
      spanNames[limit.attributes.span],
      scopeOf(limit),
    ].join(" · ");
  return (
    <Section
      title={t("Payout limits")}
      action={
        <Button
          variant="default"
          onClick={() => {
            setOpen({ kind: "new" });
          }}
        >
          {t("Set limit")}
        </Button>
      }
    >
      <MiniTable
        name="Payout limits"
        rows={data}
        empty={t(
          "No limits are set. Payouts require approval only if the creator's role requires it.",
        )}
        columns={[
          { header: "Applies to", cell: scopeOf },
          {
            header: "Period",
            cell: ({ attributes }) => spanNames[attributes.span] ?? attributes.span,
          },
          {
            header: "Approval required above",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.amount}
                code={codeOf(currencies, relationships.currency.data.id)}
              />
            ),
          },
          {
            header: "Actions",
            cell: (limit) =>
              limit.attributes.is_default ? null : (
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t("Change limit: {name}", { name: nameOf(limit) })}
                    onClick={() => {
                      setOpen({ kind: "change", limit });
                    }}
                  >
                    {t("Change|verb")}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t("Remove limit: {name}", { name: nameOf(limit) })}
                    onClick={() => {
                      setOpen({ kind: "remove", limit });
                    }}
                  >
                    {t("Remove")}
                  </Button>
                </Group>
              ),
          },
        ]}
      />
      {open === null || open.kind === "remove" ? null : (
        <LimitDialog limit={open.kind === "change" ? open.limit : null} onClose={close} />
      )}
      <ConfirmDialog
        isOpen={open?.kind === "remove"}
        onClose={close}
        title={t("Remove this limit?")}
        action={t("Remove limit")}
        isDangerous
        act={async () => {
          if (open?.kind === "remove") changed((await askForChange(removalOf(open.limit))).data);
        }}
      >
        {open?.kind === "remove" ? <p>{nameOf(open.limit)}</p> : null}
        <LooseningNote />
      </ConfirmDialog>
    </Section>
  );
}

function removalOf({ attributes, relationships: { currency, wallet } }: PayoutLimit) {
  return {
    attributes: { kind: "limit_removal", span: attributes.span },
    relationships: {
      currency: currency.data,
      ...(wallet.data === null ? {} : { wallet: wallet.data }),
    },
  } as const;
}
