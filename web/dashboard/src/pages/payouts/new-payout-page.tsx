import { Alert, Button, Card, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Payout } from "../../../../../client/src/api-types.gen.ts";
import { randomKey } from "../../../../../client/src/random-key.ts";
import { codeOf, useCurrencies, walletsQuery } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { forgetSent, readSent } from "../../components/sent-request.ts";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { NewPayoutForm } from "./new-payout-form.tsx";
import { type SentPayout, sendPayout, sentPayout } from "./send-payout.ts";

/** Creates a payout step by step. A payout whose response was lost is resolved first. */
export function NewPayoutPage() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wallets = useQuery(walletsQuery);
  const [unconfirmed, setUnconfirmed] = useState<SentPayout | null>(() =>
    readSent(sessionStorage, sentPayout()),
  );
  const [key, setKey] = useState(randomKey);
  const done = (payout: Payout): void => {
    notifications.show({
      title: payout.attributes.status === 1 ? t("Payout awaiting approval") : t("Payout created"),
      message: t("Payout {id}", { id: payout.id }),
    });
    // Once the form is gone, or it would quote the same payout again from what is left.
    void navigate({ to: "/payouts/$payoutId", params: { payoutId: payout.id } }).then(() =>
      queries.invalidateQueries(),
    );
  };
  return (
    <>
      <PageHeader
        title={t("New payout")}
        back={{ to: "/payouts", label: t("Payouts") }}
        description={t("Send funds to an address, wallet or deposit.")}
      />
      <StoppedPayouts />
      {unconfirmed === null ? (
        wallets.data === undefined ? (
          wallets.error === null ? (
            <Skeleton height={320} maw={760} aria-busy="true" />
          ) : (
            <ErrorAlert error={wallets.error} />
          )
        ) : (
          <NewPayoutForm
            key={key}
            idempotencyKey={key}
            wallets={wallets.data.filter(({ attributes }) => [1, 2, 5].includes(attributes.type))}
            walletId={search["wallet"] ?? ""}
            beneficiaryId={search["beneficiary"] ?? ""}
            onDone={done}
            onUnconfirmed={() => {
              setUnconfirmed(readSent(sessionStorage, sentPayout()));
            }}
          />
        )
      ) : (
        <Unconfirmed
          sent={unconfirmed}
          onDone={done}
          onDiscard={() => {
            forgetSent(sessionStorage, sentPayout());
            setUnconfirmed(null);
            setKey(randomKey());
          }}
        />
      )}
    </>
  );
}

/** Resolves a payout without a response: retrying with the same idempotency key never creates a second payout. */
function Unconfirmed({
  sent,
  onDone,
  onDiscard,
}: {
  readonly sent: SentPayout;
  readonly onDone: (payout: Payout) => void;
  readonly onDiscard: () => void;
}) {
  const retrying = useAction({
    mutationFn: () => sendPayout(sent),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  const [isDiscarding, discarding] = useDisclosure(false);
  const { attributes, relationships } = sent.request;
  const code = codeOf(useCurrencies(), relationships["currency"]?.id);
  const amount = typeof attributes["amount"] === "string" ? attributes["amount"] : "";
  const address = typeof attributes["address"] === "string" ? attributes["address"] : null;
  const shown = <Amount value={amount} code={code} />;
  return (
    <Card maw={720}>
      <Stack>
        <Alert color="amber" role="alert" title={t("No response to your last payout")}>
          {address === null
            ? rich("We got no response to your payout of {amount}.", { amount: shown })
            : rich("We got no response to your payout of {amount} to {address}.", {
                amount: shown,
                address,
              })}{" "}
          {t("It may have been created. Retry to find out: it won't be paid twice.")}
        </Alert>
        <ErrorAlert error={retrying.error} />
        <Group justify="space-between">
          <Text size="sm">
            <TextLink to="/payouts">{t("View payouts")}</TextLink>
          </Text>
          <Group>
            <Button variant="default" onClick={discarding.open}>
              {t("Discard")}
            </Button>
            <Button
              loading={retrying.isPending}
              onClick={() => {
                retrying.mutate();
              }}
            >
              {t("Retry")}
            </Button>
          </Group>
        </Group>
      </Stack>
      <ConfirmDialog
        isOpen={isDiscarding}
        onClose={discarding.close}
        title={t("Discard this payout?")}
        action={t("Discard")}
        isDangerous
        act={() => {
          onDiscard();
          return Promise.resolve();
        }}
      >
        {t(
          "Check the payouts first. If this payout was created, it is listed there and will be paid. Anything you send next is a separate payout.",
        )}
      </ConfirmDialog>
    </Card>
  );
}
