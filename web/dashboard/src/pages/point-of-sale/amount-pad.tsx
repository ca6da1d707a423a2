import { Button, Card, Select, Stack, TextInput } from "@mantine/core";
import { IconBackspace } from "@tabler/icons-react";
import { useState } from "react";
import type { Deposit, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, walletCurrency } from "../../api/lookups.ts";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { t } from "../../language/t.ts";
import { walletCurrencyChoices } from "../wallets/wallet-choices.ts";
import { isChargeable, padKeys, pressKey } from "./press-key.ts";

/** An unpaid sale is over when the customer has left. */
const timeLimitSeconds = 900;

/** The cashier's keys; `onSale` gets the deposit of the typed amount. */
export function AmountPad({
  wallets,
  onSale,
}: {
  readonly wallets: readonly Wallet[];
  readonly onSale: (deposit: Deposit) => void;
}) {
  const currencies = useCurrencies();
  const [walletId, setWalletId] = useState(wallets[0]?.id ?? "");
  const [amount, setAmount] = useState("");
  const [description, setDescription] = useState("");
  const currency = walletCurrency(wallets.find(({ id }) => id === walletId));
  const decimals = currencies.get(currency ?? "")?.attributes.exp ?? 2;
  const charging = useAction({
    mutationFn: () =>
      api.post("/deposit/", {
        attributes: {
          target_amount_requested: amount.replace(/\.$/, ""),
          time_limit: timeLimitSeconds,
          label: t("Point of sale"),
          ...(description.trim() === "" ? {} : { description: description.trim() }),
        },
        relationships: { wallet: { type: "wallet", id: walletId } },
      }),
    meta: { isShownByForm: true },
    onSuccess: ({ data }) => {
      onSale(data);
    },
  });
  return (
    <Card maw={400}>
      <Stack>
        {wallets.length === 1 ? null : (
          <Select
            label={t("Receive into")}
            allowDeselect={false}
            data={walletCurrencyChoices(wallets, currencies)}
            value={walletId}
            onChange={(id) => {
              setWalletId(id ?? "");
              setAmount("");
            }}
          />
        )}
        <output className="pad-amount" aria-label={t("Amount")}>
          {amount === "" ? "0" : amount} {codeOf(currencies, currency)}
        </output>
        <div className="amount-pad">
          {padKeys.map((key) => (
            <Button
              key={key}
              variant="default"
              aria-label={key === "back" ? t("Delete the last digit") : key}
              onClick={() => {
                setAmount(pressKey(amount, key, decimals));
              }}
            >
              {key === "back" ? <IconBackspace aria-hidden="true" /> : key}
            </Button>
          ))}
        </div>
        <TextInput
          label={t("Description")}
          description={t("Shown to the customer. Optional.")}
          maxLength={256}
          value={description}
          onChange={({ currentTarget }) => {
            setDescription(currentTarget.value);
          }}
        />
        <ErrorAlert error={charging.error} />
        <Button
          size="lg"
          disabled={!isChargeable(amount)}
          loading={charging.isPending}
          onClick={() => {
            charging.mutate();
          }}
        >
          {t("Charge")}
        </Button>
      </Stack>
    </Card>
  );
}
