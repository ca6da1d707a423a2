import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useCurrencies, useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { currencyChoices, payableNow } from "../currencies/currency-choices.ts";
import { walletCurrencyChoices } from "../wallets/wallet-choices.ts";
import { receiverQuery } from "./simulator-api.ts";

/** A deposit of a Merchant wallet with all that stories need: an amount, a time limit, and the simulator as receiver. */
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
        New deposit to play with
      </Button>
      <Dialog
        opened={isOpen}
        title="New deposit to play with"
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
  const payable = payableNow(currencies);
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { wallet: "", currency: "", target_amount_requested: "100" },
    send: async ({ wallet, currency, target_amount_requested }) => {
      // Waited for where it is not known yet: without it nobody would be told of the deposit.
      const receiver = await queryClient.query({ ...receiverQuery, staleTime: "static" });
      return (
        await api.post("/deposit/", {
          attributes: {
            target_amount_requested,
            time_limit: 3_600,
            callback_url: receiver.attributes.url,
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
          label="Into the wallet"
          data={walletCurrencyChoices(wallets, currencies)}
          {...form.getInputProps("wallet")}
        />
        <TextInput
          label="Amount, in the wallet's currency"
          inputMode="decimal"
          required
          {...form.getInputProps("target_amount_requested")}
        />
        <NativeSelect
          label="Paid in"
          data={currencyChoices(payable)}
          {...form.getInputProps("currency")}
        />
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
