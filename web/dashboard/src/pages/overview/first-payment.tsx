import { Group, List, Text } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { Section } from "../../components/section.tsx";
import { t } from "../../language/t.ts";

/** The getting-started steps, shown before the first deposit. */
export function FirstPayment() {
  const isSandbox = useMe()?.is_sandbox === true;
  return (
    <Section title={t("Your first payment")}>
      <Text mb="sm">
        {isSandbox
          ? t(
              "This is a sandbox with private blockchains and test coins. Nothing here has real value.",
            )
          : t("You haven't received a payment yet. Here is how to get the first one.")}
      </Text>
      <List type="ordered" spacing={6} mb="md">
        <List.Item>
          {t(
            "Create a deposit: choose an amount and the wallet that receives it. Send its payment link or address to your customer.",
          )}
        </List.Item>
        <List.Item>
          {isSandbox
            ? t(
                "Pay it with the simulator: exactly, too little or too late. The simulator also mines the blocks that confirm it.",
              )
            : t(
                "Your customer opens the payment page, chooses a currency and pays. The page updates as soon as the payment is detected.",
              )}
        </List.Item>
        <List.Item>
          {t(
            "Open the deposit: its status becomes Paid, the wallet is credited, and its callback URL (under “More options”) receives a webhook.",
          )}
        </List.Item>
      </List>
      <Group>
        <ButtonLink to="/deposits/new">{t("Create deposit")}</ButtonLink>
        {isSandbox ? (
          <ButtonLink to="/simulator" variant="default">
            {t("Open simulator")}
          </ButtonLink>
        ) : null}
      </Group>
    </Section>
  );
}
