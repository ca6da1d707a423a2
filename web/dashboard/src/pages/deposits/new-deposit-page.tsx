import { Alert, Card, Skeleton, Stack, Text } from "@mantine/core";
import { IconWallet } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { walletsQuery } from "../../api/lookups.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useRole } from "../../components/use-role.ts";
import { DepositShare } from "./deposit-share.tsx";
import { NewDepositForm } from "./new-deposit-form.tsx";

const back = { to: "/deposits", label: "Deposits" };

/** Asks for what a payer is to be asked for, and ends with what to send the payer. */
export function NewDepositPage() {
  const { role, mayCreate } = useRole();
  const known = useQuery(walletsQuery);
  const wallets = (known.data ?? []).filter(
    ({ attributes }) => attributes.status === 3 && attributes.type !== 4,
  );
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const wallet = search["wallet"];
  const [made, setMade] = useState<Deposit | null>(null);
  if (made !== null) return <Made deposit={made} />;
  const isNamed = wallets.some(({ id }) => id === wallet);
  // A wallet that was just made is not among those that were read before: another one must not take its place unseen.
  const isWaiting = known.isPending || (wallet !== undefined && !isNamed && known.isFetching);
  const first = wallet === undefined ? (wallets[0]?.id ?? "") : "";
  return (
    <>
      <PageHeader title="New deposit" back={back} description="Ask somebody for a payment." />
      {role === null || mayCreate ? null : (
        <Alert color="amber" title="Your role may only look." mb="md" />
      )}
      {isWaiting ? (
        <Skeleton height={320} maw={720} aria-busy="true" />
      ) : known.data === undefined ? (
        <ErrorAlert error={known.error} />
      ) : wallets.length === 0 ? (
        <Card>
          <EmptyList
            icon={IconWallet}
            title="A wallet comes first"
            action={<ButtonLink to="/wallets">Wallets</ButtonLink>}
          >
            A deposit belongs to the wallet that it pays into, and there is none yet that could take
            one.
          </EmptyList>
        </Card>
      ) : (
        <NewDepositForm
          wallets={wallets}
          walletId={isNamed && wallet !== undefined ? wallet : first}
          onDone={setMade}
        />
      )}
    </>
  );
}

/** What to send the payer now. */
function Made({ deposit }: { readonly deposit: Deposit }) {
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <>
      <PageHeader
        title="Send this to your payer"
        back={back}
        actions={
          <>
            <ButtonLink variant="default" to="/deposits/new" reloadDocument>
              Another one
            </ButtonLink>
            <ButtonLink to="/deposits/$depositId" params={{ depositId: deposit.id }}>
              Watch it
            </ButtonLink>
          </>
        }
      />
      <Stack maw={680}>
        <div ref={heading} tabIndex={-1} role="status">
          <Text>Deposit {deposit.id} is made, and waits for its payment.</Text>
        </div>
        <Section title={deposit.attributes.label ?? `Deposit ${deposit.id}`}>
          <DepositShare deposit={deposit} />
        </Section>
      </Stack>
    </>
  );
}
