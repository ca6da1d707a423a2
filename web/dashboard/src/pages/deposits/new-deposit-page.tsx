import { Alert, Card, Skeleton, Stack, Text } from "@mantine/core";
import { IconWallet } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import {
  codeOf,
  useCurrencies,
  useWallets,
  walletCurrency,
  walletsQuery,
} from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { Amount } from "../../components/amount.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { maySimulate } from "../../components/may-simulate.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { DepositShare } from "./deposit-share.tsx";
import { NewDepositForm } from "./new-deposit-form.tsx";

const back = { to: "/deposits", label: t("Deposits") };

/** Creates a deposit, then shows the payment link or address to send to the payer. */
export function NewDepositPage() {
  const { role, mayCreate } = useRole();
  const known = useQuery(walletsQuery);
  const wallets = (known.data ?? []).filter(
    ({ attributes }) => attributes.status === 3 && attributes.type !== 4,
  );
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const wallet = search["wallet"];
  const [created, setCreated] = useState<Deposit | null>(null);
  if (created !== null) return <CreatedDeposit deposit={created} />;
  const isKnown = wallets.some(({ id }) => id === wallet);
  // A new wallet is not in the cached list yet: wait for it rather than select another one.
  const isWaiting = known.isPending || (wallet !== undefined && !isKnown && known.isFetching);
  // A request for an amount, which most people come for, needs a Merchant wallet.
  const merchant = wallets.find(({ attributes }) => attributes.type === 1);
  const first = wallet === undefined ? ((merchant ?? wallets[0])?.id ?? "") : "";
  return (
    <>
      <PageHeader
        title={t("New deposit")}
        back={back}
        description={t("Create a payment request.")}
      />
      {role === null || mayCreate ? null : (
        <Alert color="amber" title={t("Your role can't create deposits.")} mb="md" />
      )}
      {isWaiting ? (
        <Skeleton height={320} maw={720} aria-busy="true" />
      ) : known.data === undefined ? (
        <ErrorAlert error={known.error} />
      ) : wallets.length === 0 ? (
        <Card>
          <EmptyList
            icon={IconWallet}
            title={t("Create a wallet first")}
            action={<ButtonLink to="/wallets">{t("Go to wallets")}</ButtonLink>}
          >
            {t("A deposit pays into a wallet, and you have no active wallet yet.")}
          </EmptyList>
        </Card>
      ) : (
        <NewDepositForm
          wallets={wallets}
          walletId={isKnown && wallet !== undefined ? wallet : first}
          onDone={setCreated}
        />
      )}
    </>
  );
}

function CreatedDeposit({ deposit }: { readonly deposit: Deposit }) {
  const heading = useRef<HTMLDivElement>(null);
  const me = useMe();
  const role = useRole();
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <>
      <PageHeader
        title={t("Send this to your customer")}
        back={back}
        actions={
          <>
            {maySimulate(role, me) ? (
              <ButtonLink variant="default" to="/simulator" search={{ deposit: deposit.id }}>
                {t("Pay it in the simulator")}
              </ButtonLink>
            ) : null}
            <ButtonLink variant="default" to="/deposits/new" reloadDocument>
              {t("Create another")}
            </ButtonLink>
            <ButtonLink to="/deposits/$depositId" params={{ depositId: deposit.id }}>
              {t("View deposit")}
            </ButtonLink>
          </>
        }
      />
      <Stack maw={680}>
        <div ref={heading} tabIndex={-1} role="status">
          <Text>{t("Deposit {id} created. Awaiting payment.", { id: deposit.id })}</Text>
        </div>
        <Section title={deposit.attributes.label ?? t("Deposit {id}", { id: deposit.id })}>
          <CreatedSummary deposit={deposit} />
          <DepositShare deposit={deposit} />
        </Section>
      </Stack>
    </>
  );
}

/** What the payer is asked for. */
function CreatedSummary({ deposit: { attributes, relationships } }: { readonly deposit: Deposit }) {
  const wallet = useWallets().get(relationships.wallet.data.id);
  const code = codeOf(useCurrencies(), walletCurrency(wallet));
  const { target_amount_requested: amount, description, tracking_id: order } = attributes;
  return (
    <DetailList
      details={[
        {
          label: t("Amount"),
          value: amount === null ? t("Any amount") : <Amount value={amount} code={code} />,
        },
        ...(description === null ? [] : [{ label: t("Description"), value: description }]),
        ...(order === null ? [] : [{ label: t("Tracking ID"), value: order }]),
      ]}
    />
  );
}
