import { Alert, Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Unattributed } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmationProgress } from "../../components/confirmation-progress.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { OperatorsOnly } from "../../components/operators-only.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import { ReturnDialog } from "./return-dialog.tsx";

const back = { to: "/unattributed", label: t("Unattributed payments") };

/** One unattributed payment, with the operator's decision about it. */
export function UnattributedPage() {
  return (
    <OperatorsOnly title={t("Unattributed payment")}>
      <Payment />
    </OperatorsOnly>
  );
}

function Payment() {
  const { paymentId = "" } = useParams({ strict: false });
  const payment = useQuery({
    queryKey: ["unattributed", paymentId],
    queryFn: async ({ signal }) =>
      (await api.get("/unattributed/{id}/", { id: paymentId, signal })).data,
    refetchInterval: 5_000,
  });
  return (
    <QueryView query={payment} back={back}>
      {(data) => <PaymentView key={data.id} payment={data} />}
    </QueryView>
  );
}

function PaymentView({ payment }: { readonly payment: Unattributed }) {
  const { attributes } = payment;
  return (
    <>
      <PageHeader
        title={t("Unattributed payment {id}", { id: payment.id })}
        back={back}
        badge={<StatusBadge kind="unattributed" value={attributes.state} />}
        actions={<Actions payment={payment} />}
      />
      <Stack>
        <Notice payment={payment} />
        <PaymentSection payment={payment} />
        <TransactionSection payment={payment} />
        {attributes.decided_at === null ? null : <DecisionSection payment={payment} />}
      </Stack>
    </>
  );
}

/** A dialog stays open when its decision shows before its response has arrived. */
function Actions({ payment }: { readonly payment: Unattributed }) {
  const { state, block_height: height } = payment.attributes;
  const queries = useQueryClient();
  const [isAssigning, assigning] = useDisclosure(false);
  const [isReturning, returning] = useDisclosure(false);
  const refresh = (): void => {
    for (const key of ["unattributed", "list", "attention"])
      void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <>
      {state === "waiting" && height !== null ? (
        <>
          <Button onClick={assigning.open}>{t("Assign to a deposit")}</Button>
          <Button variant="default" onClick={returning.open}>
            {t("Return")}
          </Button>
        </>
      ) : null}
      {isAssigning ? (
        <AssignDialog payment={payment} onClose={assigning.close} onDone={refresh} />
      ) : null}
      {isReturning ? (
        <ReturnDialog payment={payment} onClose={returning.close} onDone={refresh} />
      ) : null}
    </>
  );
}

/** What the operator should know before deciding; nothing for decided payments. */
function Notice({ payment }: { readonly payment: Unattributed }) {
  const { state, block_height: height, is_final: isFinal } = payment.attributes;
  if (state === "dust") {
    return (
      <Alert color="gray" title={t("Below the minimum")}>
        {t(
          "The amount is below the currency's minimum, so it is recorded but can't be assigned or returned.",
        )}
      </Alert>
    );
  }
  if (state !== "waiting") return null;
  if (height === null) {
    return (
      <Alert color="amber" title={t("Not on the blockchain")}>
        {t(
          "A reorganization has removed this payment. It can be assigned or returned once it is in a block again.",
        )}
      </Alert>
    );
  }
  if (payment.relationships.payout.data !== null) {
    return (
      <Alert color="amber" title={t("The return was not sent")}>
        {rich("Payout {id} was canceled or failed. The payment is waiting again.", {
          id: payment.relationships.payout.data.id,
        })}
      </Alert>
    );
  }
  return isFinal ? null : (
    <Alert color="blue" title={t("Not final yet")}>
      {t("It can be assigned now, and returned once it has all confirmations.")}
    </Alert>
  );
}

function PaymentSection({ payment }: { readonly payment: Unattributed }) {
  const { attributes, relationships } = payment;
  const code = codeOf(useCurrencies(), relationships.currency.data.id);
  return (
    <Section title={t("Payment")}>
      <DetailList
        details={[
          { label: t("Amount"), value: <Amount value={attributes.amount} code={code} /> },
          {
            label: t("Tag"),
            value:
              attributes.tag === null ? (
                t("None|tag")
              ) : (
                <CodeText value={attributes.tag} label="tag" />
              ),
          },
          {
            label: t("Reached account"),
            value: <CodeText value={attributes.address} label="address" />,
          },
          {
            label: t("Sender"),
            value:
              attributes.from_addresses.length === 0
                ? t("Unknown")
                : attributes.from_addresses.map((address) => (
                    <div key={address}>
                      <CodeText value={address} label="sender" />
                    </div>
                  )),
          },
          { label: t("Received"), value: <TimeText value={attributes.received_at} withSeconds /> },
        ]}
      />
    </Section>
  );
}

function TransactionSection({ payment }: { readonly payment: Unattributed }) {
  const { attributes, relationships } = payment;
  const currency = useCurrencies().get(relationships.currency.data.id);
  return (
    <Section title={t("Transaction")}>
      <DetailList
        details={[
          {
            label: t("Blockchain"),
            value: currency?.attributes.blockchain_name ?? attributes.chain,
          },
          {
            label: t("Transaction ID"),
            value: <CodeText value={attributes.txid} label="transaction ID" />,
          },
          {
            label: t("Confirmations"),
            value: (
              <ConfirmationProgress
                count={attributes.confirmations}
                needed={currency?.attributes.confirmation_blocks ?? null}
                doneLabel="Final"
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

function DecisionSection({ payment }: { readonly payment: Unattributed }) {
  const { attributes, relationships } = payment;
  const isOwn = useMe()?.account_id === attributes.account_id;
  const deposit = relationships.deposit.data;
  const payout = relationships.payout.data;
  const name = t("Deposit {id}", { id: deposit?.id ?? "" });
  return (
    <Section title={t("Decision")}>
      <DetailList
        details={[
          ...(deposit === null
            ? []
            : [
                {
                  label: t("Assigned to"),
                  // The deposits of other accounts have no page here.
                  value: isOwn ? <PathLink to={`/deposits/${deposit.id}`}>{name}</PathLink> : name,
                },
                { label: t("Account"), value: attributes.account_name },
              ]),
          ...(payout === null
            ? []
            : [
                {
                  label: t("Returned by"),
                  value: (
                    <PathLink to={`/payouts/${payout.id}`}>
                      {t("Payout {id}", { id: payout.id })}
                    </PathLink>
                  ),
                },
              ]),
          { label: t("Reason"), value: attributes.reason },
          { label: t("Decided"), value: <TimeText value={attributes.decided_at} withSeconds /> },
        ]}
      />
    </Section>
  );
}
