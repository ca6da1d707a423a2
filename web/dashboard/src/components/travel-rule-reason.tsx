import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useMe } from "../api/me.ts";
import { rich } from "../language/rich.tsx";
import { t } from "../language/t.ts";
import { FiatText } from "../pages/wallets/fiat-text.tsx";
import { useFiatSum } from "../pages/wallets/use-fiat-sum.ts";
import { Amount } from "./amount.tsx";
import { isPositive } from "./decimals.ts";
import { TextLink } from "./text-link.tsx";
import { useRole } from "./use-role.ts";

/** From which amount of a currency payouts need recipient details; `from` null: payouts of any amount do. */
export type TravelRuleThreshold = { readonly from: string | null; readonly currency: string };

/** Why recipient details are asked for, and who can change that. `rule` is null while unknown. */
export function TravelRuleReason({
  rule,
  code,
  children,
}: {
  readonly rule: TravelRuleThreshold | null;
  readonly code: string | null;
  /** What is required. */
  readonly children: ReactNode;
}) {
  return (
    <Text size="sm" c="dimmed" component="div">
      {children} {rule === null ? null : <RuleText rule={rule} code={code} />} <WhoChangesIt />
    </Text>
  );
}

function RuleText({
  rule,
  code,
}: {
  readonly rule: TravelRuleThreshold;
  readonly code: string | null;
}) {
  const { from, currency } = rule;
  const worth = useFiatSum([{ amount: from, currency }]);
  if (from === null || !isPositive(from)) return t("Required for payouts of any amount.");
  const amount = <Amount value={from} code={code} />;
  return worth.value == null
    ? rich("Required from {amount}.", { amount })
    : rich("Required from {amount} ({value}).", {
        amount,
        value: <FiatText value={worth.value} code={worth.code} />,
      });
}

/** Operators get a link to the setting. */
function WhoChangesIt() {
  const isOperator = useMe()?.operates_deployment === true;
  const { mayAdminister } = useRole();
  if (!isOperator || !mayAdminister) return t("An operator can change the threshold.");
  return rich("You can change the threshold in {link}.", {
    link: (
      <TextLink to="/operations" size="sm" underline="always">
        {t("Operations")}
      </TextLink>
    ),
  });
}
