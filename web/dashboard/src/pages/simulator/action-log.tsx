import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CodeText } from "../../components/code-text.tsx";
import { Section } from "../../components/section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { actionText } from "./action-text.ts";
import { readActions } from "./simulator-api.ts";

/** The simulator's actions, newest first, including those of other windows. */
export function ActionLog() {
  const { data } = useQuery({
    queryKey: ["simulator", "actions"],
    queryFn: ({ signal }) => readActions(signal),
    refetchInterval: 2_000,
  });
  return (
    <Section title={t("Activity")}>
      {data === undefined || data.length === 0 ? (
        <Text c="dimmed">{t("No activity since the sandbox started.")}</Text>
      ) : (
        <ol className="log-list" reversed aria-label={t("Activity, newest first")}>
          {data.map(({ id, attributes, relationships }) => (
            <li key={id}>
              <Text size="sm" c="dimmed" component="span">
                {rich("{time}, {chain} at block {height}", {
                  time: <TimeText value={attributes.created_at} withSeconds />,
                  chain: attributes.chain,
                  height: attributes.height,
                })}
              </Text>
              <div>
                {actionText(attributes.text)}{" "}
                {relationships.deposit.data === null ? null : (
                  <TextLink
                    underline="always"
                    to="/deposits/$depositId"
                    params={{ depositId: relationships.deposit.data.id }}
                  >
                    {t("Deposit {id}", { id: relationships.deposit.data.id })}
                  </TextLink>
                )}
              </div>
              {attributes.txid === null ? null : (
                <CodeText value={attributes.txid} label="transaction ID" isShort />
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
