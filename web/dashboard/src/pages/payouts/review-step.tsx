import { Alert, Stack } from "@mantine/core";
import { useWallets } from "../../api/lookups.ts";
import { AddressWithTag } from "../../components/address-with-tag.tsx";
import { Amount } from "../../components/amount.tsx";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { DetailList } from "../../components/detail-list.tsx";
import { tagMembers } from "../../components/tag-kinds.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { parseDepositId, travelRuleInfoOf } from "./payout-request.ts";
import type { StepProps } from "./recipient-step.tsx";
import { RecipientText } from "./recipient-text.tsx";

/** The summary before the payout is sent. */
export function ReviewStep({ form, draft }: StepProps) {
  const values = { ...form.values, ...draft.filled };
  const { needsApproval: roleNeedsApproval } = useRole();
  const { currency, feeCurrency, facts, wallet } = draft;
  const code = currency?.attributes.alpha ?? null;
  const commission = draft.quote.calculation?.commission.amount ?? "0";
  const received =
    values.is_fee_included && facts.feeAmount !== null
      ? subtractDecimals(values.amount, facts.feeAmount)
      : values.amount;
  return (
    <Stack mt="md">
      <DetailList
        details={[
          { label: t("From"), value: wallet?.attributes.label ?? null },
          { label: t("To"), value: <RecipientSummary form={form} draft={draft} /> },
          { label: t("Amount"), value: <Amount value={values.amount} code={code} /> },
          {
            label: values.is_fee_included ? t("Fee (deducted)") : t("Fee (on top)"),
            value:
              facts.feeAmount === null ? (
                t("None (internal transfer)")
              ) : (
                <Amount value={facts.feeAmount} code={feeCurrency?.attributes.alpha ?? null} />
              ),
          },
          ...(isPositive(commission)
            ? [{ label: t("Commission"), value: <Amount value={commission} code={code} /> }]
            : []),
          { label: t("Recipient gets"), value: <Amount value={received} code={code} /> },
          {
            label: t("Recipient"),
            value: <RecipientText info={travelRuleInfoOf(values, facts)} />,
          },
        ]}
      />
      {roleNeedsApproval || draft.needsApproval === true ? (
        <Alert color="blue" role="status" title={t("Approval required")}>
          {roleNeedsApproval
            ? t("Another team member must approve it before it is sent.")
            : t(
                "This payout exceeds a limit. Another team member must approve it before it is sent.",
              )}{" "}
          {t("Members whom you invited can't approve your payouts.")}
        </Alert>
      ) : null}
    </Stack>
  );
}

function RecipientSummary({ form: { values }, draft }: StepProps) {
  const wallets = useWallets();
  const { tagKind } = draft.facts;
  switch (values.recipientKind) {
    case "address":
      return (
        <AddressWithTag
          address={values.address.trim()}
          tag={tagMembers(tagKind, values.tag).tag ?? null}
          kind={tagKind}
        />
      );
    case "beneficiary":
      return (
        <div>
          {draft.beneficiary?.attributes.name}
          <AddressWithTag
            address={draft.beneficiary?.attributes.address ?? null}
            tag={draft.beneficiary?.attributes.tag ?? null}
            kind={tagKind}
          />
        </div>
      );
    case "wallet":
      return t("Wallet {name}", {
        name: wallets.get(values.target_wallet)?.attributes.label ?? values.target_wallet,
      });
    case "deposit":
      return t("Deposit {id}", {
        id: parseDepositId(values.target_deposit),
      });
  }
}
