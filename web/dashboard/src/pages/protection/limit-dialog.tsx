import { Select, TextInput } from "@mantine/core";
import type { PayoutLimit } from "../../../../../client/src/api-types.gen.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { type KnownCurrency, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, onChainCurrencies } from "../currencies/currency-choices.ts";
import { walletChoices } from "../wallets/wallet-choices.ts";
import { spanNames } from "./change-text.ts";
import { NoteField } from "./note-field.tsx";
import { askForChange, useChanged } from "./use-protection.ts";

/** Sets a limit, or changes the amount of an existing one. */
export function LimitDialog({
  limit,
  onClose,
}: {
  readonly limit: PayoutLimit | null;
  readonly onClose: () => void;
}) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const changed = useChanged();
  const { form, ...sending } = useApiForm({
    initialValues: {
      currency: limit?.relationships.currency.data.id ?? "",
      wallet: limit?.relationships.wallet.data?.id ?? "",
      span: limit?.attributes.span ?? "transaction",
      amount: "",
      note: "",
    },
    send: ({ currency, wallet, span, amount, note }) =>
      askForChange({
        attributes: { kind: "limit", span, amount: normalizeDecimal(amount), note },
        relationships: {
          currency: { type: "currency", id: currency },
          ...(wallet === "" ? {} : { wallet: { type: "wallet", id: wallet } }),
        },
      }),
    onDone: ({ data }) => {
      changed(data);
      onClose();
    },
  });
  const isFixed = limit !== null;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isFixed ? t("Change payout limit") : t("Set payout limit")}
    >
      <DialogForm
        {...sending}
        action={isFixed ? t("Change limit") : t("Set limit")}
        onClose={onClose}
      >
        <Select
          label={t("Currency")}
          required
          searchable
          disabled={isFixed}
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={currencyChainChoices(onChainCurrencies(currencies))}
          {...form.getInputProps("currency")}
        />
        <Select
          label={t("Applies to")}
          disabled={isFixed}
          allowDeselect={false}
          data={[{ value: "", label: t("All wallets") }, ...walletChoices(wallets.values())]}
          {...form.getInputProps("wallet")}
        />
        <Select
          label={t("Period")}
          disabled={isFixed}
          allowDeselect={false}
          data={Object.entries(spanNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps("span")}
        />
        <TextInput
          label={amountLabel(currencies.get(form.values.currency))}
          required
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("amount")}
        />
        <NoteField field={form.getInputProps("note")} />
      </DialogForm>
    </Dialog>
  );
}

function amountLabel(currency: KnownCurrency | undefined): string {
  return currency === undefined
    ? t("Approval required above")
    : t("Approval required above ({code})", { code: currency.attributes.alpha });
}
