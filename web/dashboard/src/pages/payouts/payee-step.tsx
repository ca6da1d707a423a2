import { Alert, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { currencyChainChoices, payableNow } from "../currencies/currency-choices.ts";
import { walletCurrencyChoices, walletKindChoices } from "../wallets/wallet-choices.ts";
import type { PayoutValues } from "./payout-order.ts";
import type { Order } from "./use-order.ts";
import { useBeneficiariesOf } from "./use-payout-facts.ts";

export type StepProps = {
  readonly form: UseFormReturnType<PayoutValues>;
  readonly order: Order;
};

const kinds = [
  { value: "address", label: "Address" },
  { value: "beneficiary", label: "Beneficiary" },
  { value: "wallet", label: "Own wallet" },
  { value: "deposit", label: "Deposit" },
];

/** Which wallet pays, what, and whom. */
export function PayeeStep({
  form,
  wallets,
  order,
}: StepProps & { readonly wallets: readonly Wallet[] }) {
  const currencies = useCurrencies();
  const isMerchant = order.wallet?.attributes.type === 1;
  const choose = (id: string | null): void => {
    const wallet = wallets.find((one) => one.id === id);
    form.setFieldValue("wallet", id ?? "");
    form.setFieldValue(
      "currency",
      wallet?.attributes.type === 1 ? "" : (walletCurrency(wallet) ?? ""),
    );
    form.clearErrors();
  };
  const payable = payableNow(currencies);
  return (
    <Stack mt="md">
      <Select
        label="From the wallet"
        required
        allowDeselect={false}
        data={walletKindChoices(wallets, currencies)}
        {...form.getInputProps("wallet")}
        onChange={choose}
      />
      {order.wallet === null ? null : (
        <Text size="sm" c="dimmed">
          Payable now{" "}
          <Amount
            value={order.wallet.attributes.balance_confirmed}
            code={codeOf(currencies, walletCurrency(order.wallet))}
          />
        </Text>
      )}
      {isMerchant ? (
        <Select
          label="Paid in"
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such currency"
          data={currencyChainChoices(payable)}
          {...form.getInputProps("currency")}
        />
      ) : null}
      <div>
        <Text size="sm" fw={600} id="payee-kind" mb={4}>
          To
        </Text>
        <SegmentedControl
          aria-labelledby="payee-kind"
          fullWidth
          data={kinds}
          {...form.getInputProps("payeeKind")}
        />
      </div>
      <PayeeField form={form} order={order} />
    </Stack>
  );
}

function PayeeField({ form, order }: StepProps) {
  switch (form.values.payeeKind) {
    case "address":
      return <AddressFields form={form} order={order} />;
    case "beneficiary":
      return <BeneficiaryField form={form} order={order} />;
    case "wallet":
      return <OwnWalletField form={form} order={order} />;
    case "deposit":
      return (
        <TextInput
          label="Payment page of the deposit"
          description="Its address, or the identifier at its end. The money moves inside the service, at once and without a network fee."
          required
          autoComplete="off"
          {...form.getInputProps("target_deposit")}
        />
      );
  }
}

function AddressFields({ form, order }: StepProps) {
  const { currency, quote } = order;
  const needsTag =
    currency?.attributes.tags.some((tag) => tag === "memo" || tag === "tag") === true;
  return (
    <>
      <TextInput
        label="Address"
        description="Money that was sent to a wrong address does not come back: compare its first and last characters."
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("address")}
        error={form.errors["address"] ?? quote.faults.address}
      />
      {needsTag ? (
        <TextInput
          label="Tag or memo"
          description="Exchanges ask for it: without it, the money may not be credited."
          autoComplete="off"
          {...form.getInputProps("tag")}
        />
      ) : null}
      {quote.calculation?.is_internal === true ? (
        <Alert color="blue" title="This address belongs to this service">
          The money moves in the books, at once and without a network fee.
        </Alert>
      ) : null}
    </>
  );
}

function BeneficiaryField({ form, order }: StepProps) {
  const beneficiaries = useBeneficiariesOf(form.values.currency);
  const { beneficiary, quote } = order;
  return (
    <>
      <Select
        label="Beneficiary"
        description={
          form.values.currency === ""
            ? "Choose the wallet first: only who can be paid from it is offered."
            : undefined
        }
        required
        searchable
        allowDeselect={false}
        nothingFoundMessage="Nobody of this name on this blockchain"
        data={beneficiaries.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
        {...form.getInputProps("beneficiary")}
        error={form.errors["beneficiary"] ?? quote.faults.address}
      />
      {beneficiary === null ? null : (
        <CodeText value={beneficiary.attributes.address} label="the address" />
      )}
      {beneficiary?.attributes.may_be_paid === false ? (
        <Alert color="amber" title="Not on the whitelist">
          This account pays to its whitelist only, and this address is not on it: the payout will be
          refused. The operator keeps the whitelist.
        </Alert>
      ) : null}
      <ErrorAlert error={quote.error} />
    </>
  );
}

function OwnWalletField({ form }: StepProps) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return (
    <Select
      label="Own wallet"
      description="The money moves inside the service, at once and without a network fee."
      required
      allowDeselect={false}
      data={walletCurrencyChoices(wallets.values(), currencies).filter(
        ({ value }) => value !== form.values.wallet,
      )}
      {...form.getInputProps("target_wallet")}
    />
  );
}
