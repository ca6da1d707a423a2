import { Alert, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ChangeEvent } from "react";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { useCurrencies, useWallets } from "../../api/lookups.ts";
import { AddressWithTag } from "../../components/address-with-tag.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { tagKindOf, tagLabels } from "../../components/tag-kinds.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { walletCurrencyChoices } from "../wallets/wallet-choices.ts";
import { onlyCurrencyOf, PayingWalletSelect } from "../wallets/wallet-select.tsx";
import { currenciesOfAddress } from "./address-masks.ts";
import { Available } from "./available.tsx";
import { usePayableBeneficiaries, usePayoutRules } from "./payout-queries.ts";
import type { PayoutValues } from "./payout-request.ts";
import type { PayoutDraft } from "./use-payout-draft.ts";

export type StepProps = {
  readonly form: UseFormReturnType<PayoutValues>;
  readonly draft: PayoutDraft;
};

const kinds = [
  { value: "address", label: t("Address") },
  { value: "beneficiary", label: t("Beneficiary") },
  { value: "wallet", label: t("Wallet") },
  { value: "deposit", label: t("Deposit") },
];

/** The paying wallet, the currency and the recipient. */
export function RecipientStep({
  form,
  wallets,
  draft,
}: StepProps & { readonly wallets: readonly Wallet[] }) {
  const isMerchant = draft.wallet?.attributes.type === 1;
  return (
    <Stack mt="md">
      <PayingWalletSelect
        wallets={wallets}
        {...form.getInputProps("wallet")}
        onChoose={(wallet) => {
          const { currency } = form.values;
          form.setFieldValue("wallet", wallet?.id ?? "");
          // A merchant's wallet pays any currency, so a choice that the address suggests is kept.
          form.setFieldValue(
            "currency",
            isMerchant && wallet?.attributes.type === 1 ? currency : onlyCurrencyOf(wallet),
          );
          form.clearErrors();
        }}
      />
      {draft.wallet === null ? null : <Available wallet={draft.wallet} />}
      {isMerchant ? <CurrencyField form={form} draft={draft} /> : null}
      <div>
        <Text size="sm" fw={600} id="recipient-kind" mb={4}>
          {t("To")}
        </Text>
        <SegmentedControl
          aria-labelledby="recipient-kind"
          fullWidth
          data={kinds}
          {...form.getInputProps("recipientKind")}
        />
      </div>
      <RecipientField form={form} draft={draft} />
    </Stack>
  );
}

/** The currency of a wallet that pays several; an address that fits only some of them narrows the choice. */
function CurrencyField({ form }: StepProps) {
  const payable = usableCurrencies(useCurrencies());
  const { masks } = usePayoutRules();
  const { recipientKind, address, currency } = form.values;
  const typed = recipientKind === "address" ? address.trim() : "";
  const fitting = typed === "" ? payable : currenciesOfAddress(masks, payable, typed);
  // What was chosen before stays in the list: the address is then refused for it.
  const offered = payable.filter((one) => one.id === currency || fitting.includes(one));
  return (
    <Select
      label={t("Currency")}
      description={
        fitting.length < payable.length
          ? t("Only currencies that the address below can receive are listed.")
          : undefined
      }
      required
      searchable
      allowDeselect={false}
      nothingFoundMessage={t("No matching currency")}
      data={currencyChainChoices(offered)}
      {...form.getInputProps("currency")}
    />
  );
}

function RecipientField({ form, draft }: StepProps) {
  switch (form.values.recipientKind) {
    case "address":
      return <AddressFields form={form} draft={draft} />;
    case "beneficiary":
      return <BeneficiaryField form={form} draft={draft} />;
    case "wallet":
      return <OwnWalletField form={form} draft={draft} />;
    case "deposit":
      return (
        <TextInput
          label={t("Payment link of the deposit")}
          description={t(
            "The link, or the ID at its end. The transfer is internal: instant and free of network fees.",
          )}
          required
          autoComplete="off"
          {...form.getInputProps("target_deposit")}
        />
      );
  }
}

function AddressFields({ form, draft }: StepProps) {
  const { quote } = draft;
  const currencies = useCurrencies();
  const { masks } = usePayoutRules();
  const tagKind = tagKindOf(currencies, form.values.currency);
  const field: { readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void } =
    form.getInputProps("address");
  const chooseOnlyCurrency = (address: string): void => {
    if (draft.wallet?.attributes.type !== 1 || form.values.currency !== "") return;
    const payable = usableCurrencies(currencies);
    const [only, ...others] = currenciesOfAddress(masks, payable, address);
    if (only !== undefined && others.length === 0 && payable.length > 1)
      form.setFieldValue("currency", only.id);
  };
  return (
    <>
      <TextInput
        label={t("Address")}
        description={t("Payouts can't be reversed. Compare the first and last characters.")}
        required
        autoComplete="off"
        spellCheck={false}
        {...field}
        onChange={(event) => {
          field.onChange(event);
          chooseOnlyCurrency(event.currentTarget.value.trim());
        }}
        error={form.errors["address"] ?? quote.errors.address}
      />
      {tagKind === null ? null : (
        <TextInput
          label={tagLabels[tagKind]}
          description={t("Required by most exchanges. Without it, the funds may not be credited.")}
          autoComplete="off"
          {...form.getInputProps("tag")}
          error={form.errors["tag"] ?? quote.errors.tag}
        />
      )}
      {quote.calculation?.is_internal === true ? (
        <Alert color="blue" title={t("This address belongs to this service")}>
          {t("The transfer is internal: instant and free of network fees.")}
        </Alert>
      ) : null}
    </>
  );
}

function BeneficiaryField({ form, draft }: StepProps) {
  const beneficiaries = usePayableBeneficiaries(form.values.currency);
  const { beneficiary, quote } = draft;
  return (
    <>
      <Select
        label={t("Beneficiary")}
        description={
          form.values.currency === ""
            ? t("Select a wallet first to see matching beneficiaries.")
            : undefined
        }
        required
        searchable
        allowDeselect={false}
        nothingFoundMessage={t("No matching beneficiary on this blockchain")}
        data={beneficiaries.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
        {...form.getInputProps("beneficiary")}
        error={form.errors["beneficiary"] ?? quote.errors.address}
      />
      {beneficiary === null ? null : (
        <AddressWithTag
          address={beneficiary.attributes.address}
          tag={beneficiary.attributes.tag}
          kind={draft.facts.tagKind}
        />
      )}
      {beneficiary?.attributes.may_be_paid === false ? (
        <Alert color="amber" title={t("Not on the allowlist")}>
          {t(
            "This account can pay only addresses on its allowlist, so this payout will be refused. Ask your operator to add the address.",
          )}
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
      label={t("Own wallet")}
      description={t("The transfer is internal: instant and free of network fees.")}
      required
      allowDeselect={false}
      data={walletCurrencyChoices(wallets.values(), currencies).filter(
        ({ value }) => value !== form.values.wallet,
      )}
      {...form.getInputProps("target_wallet")}
    />
  );
}
