import { Group, List, Text } from "@mantine/core";
import { useMe } from "../../api/me.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { Section } from "../../components/section.tsx";

/** What is shown before the first deposit: how the first payment comes to be, here in the sandbox or for real. */
export function FirstPayment() {
  const isSandbox = useMe()?.is_sandbox === true;
  return (
    <Section title="Your first payment">
      <Text mb="sm">
        {isSandbox
          ? "This is a sandbox: its chains are private, and its money is worth nothing. Try everything."
          : "Nothing was paid yet. This is how the first payment comes in."}
      </Text>
      <List type="ordered" spacing={6} mb="md">
        <List.Item>
          Create a deposit: what is to be paid, and into which of your wallets. It has an address
          and a payment page that you send to whoever pays.
        </List.Item>
        <List.Item>
          {isSandbox
            ? "Pay it: the simulator plays the payer, exactly, too little, too late, as you like, and mines the blocks that confirm it."
            : "Whoever pays opens the page, chooses a coin and pays. The page tells them at once that it was seen."}
        </List.Item>
        <List.Item>
          Look at the deposit: it becomes Paid, the money stands in its wallet, and your shop gets a
          callback about each step.
        </List.Item>
      </List>
      <Group>
        {isSandbox ? (
          <ButtonLink to="/simulator">Open the simulator</ButtonLink>
        ) : (
          <ButtonLink to="/deposits">Create a deposit</ButtonLink>
        )}
        <ButtonLink to="/wallets" variant="default">
          See your wallets
        </ButtonLink>
      </Group>
    </Section>
  );
}
