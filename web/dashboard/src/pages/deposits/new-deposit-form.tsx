import { Button, Card, Collapse, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import type { Deposit, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, walletCurrency } from "../../api/lookups.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { currencyChainChoices, payableNow } from "../currencies/currency-choices.ts";
import { walletKindChoices } from "../wallets/wallet-choices.ts";
import { emptyRequest, type NewDepositValues, requestOf } from "./deposit-request.ts";
import { timeLimitChoices } from "./time-limit-choices.ts";

/** The form of a new deposit: it asks only for what the chosen wallet's kind can use. */
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
  const [isMore, more] = useDisclosure(false);
  const currencies = useCurrencies();
  const findWallet = (id: string): Wallet | undefined => wallets.find((one) => one.id === id);
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
            label="Into the wallet"
            required
            allowDeselect={false}
            data={walletKindChoices(wallets, currencies)}
            {...form.getInputProps("wallet")}
          />
          {isMerchant ? <MerchantFields form={form} code={code ?? ""} /> : null}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Label"
              description="For you; it names the deposit in lists."
              maxLength={32}
              {...form.getInputProps("label")}
            />
            <TextInput
              label="Tracking id"
              description="Your own number of the order."
              maxLength={128}
              {...form.getInputProps("tracking_id")}
            />
          </SimpleGrid>
          <Button
            variant="subtle"
            onClick={more.toggle}
            aria-expanded={isMore}
            aria-controls="more-fields"
            style={{ alignSelf: "start" }}
          >
            {isMore ? "Less" : "More"}
          </Button>
          <Collapse expanded={isMore} id="more-fields">
            <MoreFields form={form} isMerchant={isMerchant} />
          </Collapse>
          <ProblemAlert problem={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={isSending}>
              Create deposit
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

type Fields = { readonly form: UseFormReturnType<NewDepositValues> };

function MerchantFields({ form, code }: Fields & { readonly code: string }) {
  const payable = payableNow(useCurrencies());
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={`Amount in ${code}`}
          description="Left empty, the payer pays any amount."
          inputMode="decimal"
          {...form.getInputProps("target_amount_requested")}
        />
        <Select
          label="Paid in"
          description="Usually the payer chooses on the payment page."
          allowDeselect={false}
          searchable
          nothingFoundMessage="No such currency"
          data={[{ value: "", label: "The payer chooses" }, ...currencyChainChoices(payable)]}
          {...form.getInputProps("currency")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={`Give or take, in ${code}`}
          description="So much more or less still counts as paid."
          inputMode="decimal"
          {...form.getInputProps("inaccuracy")}
        />
        <Select
          label="Time limit"
          description="After it a payment waits for your decision."
          allowDeselect={false}
          data={timeLimitChoices}
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
          label="Confirmations"
          description="0 to 100; left empty, the currency's own count."
          inputMode="numeric"
          {...form.getInputProps("confirmations_needed")}
        />
        <TextInput
          label="Callbacks to"
          description="A URL of your shop that is told what happens."
          type="url"
          {...form.getInputProps("callback_url")}
        />
      </SimpleGrid>
      {isMerchant ? (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Lead the payer back to"
              description="A link on the payment page."
              type="url"
              {...form.getInputProps("payment_page_redirect_url")}
            />
            <TextInput
              label="Text of that link"
              maxLength={64}
              {...form.getInputProps("payment_page_button_text")}
            />
          </SimpleGrid>
          <TextInput
            label="Help address"
            description="Shown to payers who need help."
            type="email"
            maxLength={64}
            {...form.getInputProps("help_email")}
          />
        </>
      ) : null}
    </Stack>
  );
}
