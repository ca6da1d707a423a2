import { Button, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { FiatText } from "./fiat-text.tsx";
import { fiatValue } from "./fiat-value.ts";
import { useFiat, usePrices } from "./use-prices.ts";
import { WalletActivity } from "./wallet-activity.tsx";
import { walletTypeName } from "./wallet-types.ts";

/** One wallet: its balance, details and latest activity. */
export function WalletPage() {
  const { walletId = "" } = useParams({ strict: false });
  const wallet = useQuery({
    queryKey: ["wallet", walletId],
    queryFn: async ({ signal }) => (await api.get("/wallet/{id}/", { id: walletId, signal })).data,
    refetchInterval: 10_000,
  });
  return (
    <QueryView query={wallet} back={{ to: "/wallets", label: t("Wallets") }}>
      {(data) => <WalletView key={data.id} wallet={data} />}
    </QueryView>
  );
}

function WalletView({ wallet }: { readonly wallet: Wallet }) {
  const { attributes, relationships } = wallet;
  const currencyId = relationships.currency.data.id;
  const code = codeOf(useCurrencies(), currencyId);
  const { mayCreate, mayAdminister } = useRole();
  return (
    <>
      <PageHeader
        title={attributes.label}
        back={{ to: "/wallets", label: t("Wallets") }}
        badge={<StatusBadge kind="wallet" value={attributes.status} />}
        actions={
          <>
            {mayCreate && attributes.type !== 4 ? (
              <ButtonLink to="/deposits/new" search={{ wallet: wallet.id }}>
                {t("New deposit")}
              </ButtonLink>
            ) : null}
            {mayAdminister ? <WalletActions wallet={wallet} /> : null}
          </>
        }
      />
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Balance wallet={wallet} code={code} />
          <Details wallet={wallet} code={code} />
        </SimpleGrid>
        <WalletActivity walletId={wallet.id} code={code} />
      </Stack>
    </>
  );
}

function Balance({ wallet, code }: { readonly wallet: Wallet; readonly code: string | null }) {
  const { attributes, relationships } = wallet;
  const currencyId = relationships.currency.data.id;
  return (
    <Section title={t("Balance")}>
      <DetailList
        details={[
          {
            label: t("Available"),
            value: <Amount value={attributes.balance_confirmed} code={code} />,
          },
          { label: t("Value"), value: <Value wallet={wallet} currencyId={currencyId} /> },
          {
            label: t("Pending"),
            value: <Amount value={attributes.balance_pending} code={code} />,
          },
          {
            label: t("Too small to spend"),
            value: <Amount value={attributes.balance_unusable} code={code} />,
          },
        ]}
      />
    </Section>
  );
}

function Details({ wallet, code }: { readonly wallet: Wallet; readonly code: string | null }) {
  const { attributes } = wallet;
  return (
    <Section title={t("Details")}>
      <DetailList
        details={[
          { label: "ID", value: wallet.id },
          { label: t("Type"), value: walletTypeName(attributes.type) },
          { label: t("Currency"), value: code },
          {
            label: t("Minimum payment"),
            value: <Amount value={attributes.minimal_transfer_amount} code={code} />,
          },
          {
            label: t("Address"),
            value:
              attributes.destination === null ? (
                t("Each deposit has its own address.")
              ) : (
                <CodeText value={attributes.destination.address} label="address" />
              ),
          },
          { label: t("Created"), value: <TimeText value={attributes.created_at} /> },
        ]}
      />
    </Section>
  );
}

function Value({ wallet, currencyId }: { readonly wallet: Wallet; readonly currencyId: string }) {
  const fiat = useFiat();
  const prices = usePrices([currencyId], fiat.id);
  const value =
    prices === null
      ? undefined
      : fiatValue(wallet.attributes.balance_confirmed, currencyId, fiat.id, prices);
  return <FiatText value={value} code={fiat.code} />;
}

function WalletActions({ wallet }: { readonly wallet: Wallet }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["wallet", wallet.id] });
    void queries.invalidateQueries({ queryKey: ["lookup", "wallets"] });
  };
  const activating = useAction({
    mutationFn: () => api.post("/wallet/{id}/activate/", { id: wallet.id }),
    onSuccess: refresh,
  });
  return (
    <>
      {wallet.attributes.status === 1 ? (
        <Button
          loading={activating.isPending}
          onClick={() => {
            activating.mutate();
          }}
        >
          {t("Activate")}
        </Button>
      ) : null}
      <Button variant="default" onClick={open}>
        {t("Rename")}
      </Button>
      <RenameDialog
        key={String(isOpen)}
        wallet={wallet}
        isOpen={isOpen}
        onClose={close}
        onDone={refresh}
      />
    </>
  );
}

function RenameDialog({
  wallet,
  isOpen,
  onClose,
  onDone,
}: {
  readonly wallet: Wallet;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { form, ...sending } = useApiForm({
    initialValues: { label: wallet.attributes.label },
    send: (values) => api.patch("/wallet/{id}/", { id: wallet.id, attributes: values }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t("Rename wallet")}>
      <DialogForm {...sending} action={t("Save")} onClose={onClose}>
        <TextInput
          label={t("Label")}
          required
          maxLength={32}
          data-autofocus
          {...form.getInputProps("label")}
        />
      </DialogForm>
    </Dialog>
  );
}
