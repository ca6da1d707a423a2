import { Group, Select, type SelectProps } from "@mantine/core";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { t } from "../../language/t.ts";
import { walletTypeChoices } from "./wallet-choices.ts";

/** A wallet to pay from; each choice shows its available balance. */
export function PayingWalletSelect({
  wallets,
  onChoose,
  ...field
}: {
  readonly wallets: readonly Wallet[];
  readonly onChoose: (wallet: Wallet | undefined) => void;
} & Pick<SelectProps, "value" | "error" | "onBlur" | "onFocus">) {
  const currencies = useCurrencies();
  const walletOf = (id: string | null): Wallet | undefined =>
    wallets.find((wallet) => wallet.id === id);
  return (
    <Select
      label={t("From wallet")}
      required
      allowDeselect={false}
      data={walletTypeChoices(wallets, currencies)}
      renderOption={({ option }) => {
        const wallet = walletOf(option.value);
        return (
          <Group justify="space-between" gap="xs" w="100%">
            <span>{option.label}</span>
            {wallet === undefined ? null : (
              <Amount
                value={wallet.attributes.balance_confirmed}
                code={codeOf(currencies, walletCurrency(wallet))}
              />
            )}
          </Group>
        );
      }}
      {...field}
      onChange={(id) => {
        onChoose(walletOf(id));
      }}
    />
  );
}

/** The currency that a wallet pays; empty where it can pay several, so that one is chosen. */
export function onlyCurrencyOf(wallet: Wallet | undefined): string {
  return wallet?.attributes.type === 1 ? "" : (walletCurrency(wallet) ?? "");
}
