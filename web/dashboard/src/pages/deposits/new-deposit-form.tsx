import { Button, Card, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import type { Deposit, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, walletCurrency } from "../../api/lookups.ts";
import { MoreOptions } from "../../components/more-options.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { walletTypeChoices } from "../wallets/wallet-choices.ts";
import { emptyRequest, type NewDepositValues, requestOf } from "./deposit-request.ts";
import { expiryChoices } from "./expiry-choices.ts";

/** The form of a new deposit, with the fields that the selected wallet's type supports. */
export function NewDepositForm({
  wallets,
  walletId,
  onDone,
}: {
  readonly wallets: readonly Wallet[];
  readonly walletId: string;
  readonly onDone: (deposit: Deposit) => void;
}) {
  const queries = useQueryClient();
  const currencies = useCurrencies();
  const findWallet = (id: string): Wallet | undefined =>
    wallets.find((candidate) => candidate.id === id);
  const { form, submit, isSending, problem } = useApiForm<NewDepositValues, Deposit>({
    initialValues: { ...emptyRequest, wallet: walletId },
    send: async (values) => {
      const wallet = findWallet(values.wallet);
      const isMerchant = wallet?.attributes.type === 1;
      const answer = await api.post(
        "/deposit/",
        requestOf(values, isMerchant, walletCurrency(wallet)),
      );
      return answer.data;
    },
    onDone: (deposit) => {
      void queries.invalidateQueries({ queryKey: ["list"] });
      onDone(deposit);
    },
  });
  const wallet = findWallet(form.values.wallet);
  const isMerchant = wallet?.attributes.type === 1;
  const code = codeOf(currencies, walletCurrency(wallet));
  return (
    <Card maw={720}>
      <form onSubmit={submit}>
        <Stack>
          <Select
            label={t("Receive into")}
            required
            allowDeselect={false}
            data={walletTypeChoices(wallets, currencies)}
            description={isMerchant ? undefined : anyAmount}
            {...form.getInputProps("wallet")}
          />
          {isMerchant ? <MerchantFields form={form} code={code ?? ""} /> : null}
          <TextInput
            label={t("Description")}
            description={t("What the payment is for. The payer sees it.")}
            maxLength={256}
            {...form.getInputProps("description")}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t("Label")}
              description={t("Internal description.")}
              maxLength={32}
              {...form.getInputProps("label")}
            />
            <TextInput
              label={t("Tracking ID")}
              description={t("Your order number. Payers of Merchant wallets see it.")}
              maxLength={128}
              {...form.getInputProps("tracking_id")}
            />
          </SimpleGrid>
          <MoreOptions>
            <MoreFields form={form} isMerchant={isMerchant} />
          </MoreOptions>
          <ProblemAlert problem={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={isSending}>
              {t("Create deposit")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

const anyAmount = t(
  "Accepts any amount in the wallet's currency. To request an amount, choose a Merchant wallet.",
);

type Fields = { readonly form: UseFormReturnType<NewDepositValues> };

function MerchantFields({ form, code }: Fields & { readonly code: string }) {
  const payable = usableCurrencies(useCurrencies());
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t("Amount ({code})", { code })}
          description={t("Leave empty to accept any amount.")}
          inputMode="decimal"
          {...form.getInputProps("target_amount_requested")}
        />
        <Select
          label={t("Payment currency")}
          description={t("By default the payer chooses on the payment page.")}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t("No matching currency")}
          data={[{ value: "", label: t("Payer chooses") }, ...currencyChainChoices(payable)]}
          {...form.getInputProps("currency")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: "end" }}>
        <TextInput
          label={t("Payment tolerance ({code})", { code })}
          description={t("Accept payments that differ from the amount by up to this much.")}
          inputMode="decimal"
          {...form.getInputProps("inaccuracy")}
        />
        <Select
          label={t("Expires in")}
          description={t("Later payments are put on hold.")}
          allowDeselect={false}
          data={expiryChoices}
          {...form.getInputProps("time_limit")}
        />
      </SimpleGrid>
    </>
  );
}

function MoreFields({ form, isMerchant }: Fields & { readonly isMerchant: boolean }) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t("Required confirmations")}
          description={t("0 to 100. Leave empty for the currency's default.")}
          inputMode="numeric"
          {...form.getInputProps("confirmations_needed")}
        />
        <TextInput
          label={t("Callback URL")}
          description={t("Receives webhooks about this deposit.")}
          type="url"
          {...form.getInputProps("callback_url")}
        />
      </SimpleGrid>
      {isMerchant ? (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t("Return URL")}
              description={t("A link back to your store on the payment page.")}
              type="url"
              {...form.getInputProps("payment_page_redirect_url")}
            />
            <TextInput
              label={t("Return link text")}
              maxLength={64}
              {...form.getInputProps("payment_page_button_text")}
            />
          </SimpleGrid>
          <TextInput
            label={t("Support email")}
            description={t("Shown on the payment page.")}
            type="email"
            maxLength={64}
            {...form.getInputProps("help_email")}
          />
        </>
      ) : null}
    </Stack>
  );
}
