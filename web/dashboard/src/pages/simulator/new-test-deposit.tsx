import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { api } from "../../api/api.ts";
import { useCurrencies, useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { walletCurrencyChoices } from "../wallets/wallet-choices.ts";
import { receiverQuery } from "./simulator-api.ts";

/** Creates a Merchant deposit for the scenarios: with an amount, an expiry and the simulator's endpoint as callback URL. */
export function NewTestDeposit({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => {
          setOpen(true);
        }}
      >
        {t("New test deposit")}
      </Button>
      <Dialog
        opened={isOpen}
        title={t("New test deposit")}
        onClose={() => {
          setOpen(false);
        }}
      >
        <NewTestDepositForm
          onDone={(id) => {
            setOpen(false);
            onCreated(id);
          }}
        />
      </Dialog>
    </>
  );
}

function NewTestDepositForm({ onDone }: { readonly onDone: (id: string) => void }) {
  const currencies = useCurrencies();
  const wallets = [...useWallets().values()].filter(({ attributes }) => attributes.type === 1);
  const queryClient = useQueryClient();
  const payable = usableCurrencies(currencies);
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { wallet: "", currency: "", target_amount_requested: "100" },
    send: async ({ wallet, currency, target_amount_requested }) => {
      // Without the endpoint's URL the deposit would send no callbacks.
      const endpoint = await queryClient.query({ ...receiverQuery, staleTime: "static" });
      return (
        await api.post("/deposit/", {
          attributes: {
            target_amount_requested: normalizeDecimal(target_amount_requested),
            time_limit: 3_600,
            callback_url: endpoint.attributes.url,
          },
          relationships: {
            wallet: { type: "wallet", id: wallet === "" ? (wallets[0]?.id ?? "") : wallet },
            currency: {
              type: "currency",
              id: currency === "" ? (payable[0]?.id ?? "") : currency,
            },
          },
        })
      ).data.id;
    },
    onDone: (id) => {
      void queryClient.invalidateQueries({ queryKey: ["simulator"] });
      onDone(id);
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label={t("Receive into")}
          data={walletCurrencyChoices(wallets, currencies)}
          {...form.getInputProps("wallet")}
        />
        <TextInput
          label={t("Amount (in the wallet's currency)")}
          inputMode="decimal"
          required
          {...form.getInputProps("target_amount_requested")}
        />
        <NativeSelect
          label={t("Payment currency")}
          data={currencyChoices(payable)}
          {...form.getInputProps("currency")}
        />
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            {t("Create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
