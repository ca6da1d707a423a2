import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CodeText } from "../../components/code-text.tsx";
import { Section } from "../../components/section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { readActions } from "./simulator-api.ts";

/** What was done here, newest first, also by other windows. */
export function ActionLog() {
  const { data } = useQuery({
    queryKey: ["simulator", "actions"],
    queryFn: ({ signal }) => readActions(signal),
    refetchInterval: 2_000,
  });
  return (
    <Section title="What happened">
      {data === undefined || data.length === 0 ? (
        <Text c="dimmed">Nothing yet since the sandbox was started.</Text>
      ) : (
        <ol className="log-list" reversed aria-label="What happened, newest first">
          {data.map(({ id, attributes, relationships }) => (
            <li key={id}>
              <Text size="sm" c="dimmed" component="span">
                <TimeText value={attributes.created_at} withSeconds />, {attributes.chain} at block{" "}
                {attributes.height}
              </Text>
              <div>
                {attributes.text}{" "}
                {relationships.deposit.data === null ? null : (
                  <TextLink
                    underline="always"
                    to="/deposits/$depositId"
                    params={{ depositId: relationships.deposit.data.id }}
                  >
                    Deposit {relationships.deposit.data.id}
                  </TextLink>
                )}
              </div>
              {attributes.txid === null ? null : (
                <CodeText value={attributes.txid} label="the transaction id" isShort />
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
