import { Button, Group, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useAction } from "../../components/use-action.ts";
import { t } from "../../language/t.ts";
import { mineBlocks, reorgChain } from "./simulator-api.ts";

/** Mines blocks and triggers reorgs on each chain. */
export function ChainControls() {
  const { data = [] } = useQuery({
    queryKey: ["chains", "simulator"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
    refetchInterval: 2_000,
  });
  return (
    <Section title={t("Blockchains")}>
      {data.map(({ id, attributes }) => (
        <ChainRow key={id} chain={id} name={attributes.name} height={attributes.height} />
      ))}
    </Section>
  );
}

function ChainRow({
  chain,
  name,
  height,
}: {
  readonly chain: string;
  readonly name: string;
  readonly height: number | null;
}) {
  const [count, setCount] = useState<string | number>(1);
  const [transactions, setTransactions] = useState("wait");
  const queryClient = useQueryClient();
  const acting = useAction({
    mutationFn: (what: "mine" | "reorg") =>
      what === "mine"
        ? mineBlocks(chain, Number(count))
        : reorgChain(chain, Number(count), transactions),
    meta: { isShownByForm: true },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["simulator"] });
      void queryClient.invalidateQueries({ queryKey: ["chains"] });
    },
  });
  return (
    <div className="chain-row" role="group" aria-label={name}>
      <div className="chain-name">
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {t("Block {height}", { height: String(height ?? "–") })}
        </Text>
      </div>
      <Group align="end" gap="xs" wrap="nowrap">
        <NumberInput
          label={t("Blocks")}
          aria-label={t("Blocks on {name}", { name })}
          w={72}
          min={1}
          max={1_000}
          allowDecimal={false}
          hideControls
          value={count}
          onChange={setCount}
        />
        <Button
          aria-label={t("Mine on {name}", { name })}
          loading={acting.isPending}
          onClick={() => {
            acting.mutate("mine");
          }}
        >
          {t("Mine")}
        </Button>
      </Group>
      <Group align="end" gap="xs" wrap="nowrap">
        <NativeSelect
          label={t("Transactions")}
          aria-label={t("Transactions in replaced blocks on {name}", { name })}
          w={184}
          value={transactions}
          onChange={({ currentTarget }) => {
            setTransactions(currentTarget.value);
          }}
          data={[
            { value: "wait", label: t("Return to mempool") },
            { value: "include", label: t("Re-include") },
          ]}
        />
        <Button
          variant="default"
          aria-label={t("Reorg on {name}", { name })}
          loading={acting.isPending}
          onClick={() => {
            acting.mutate("reorg");
          }}
        >
          {t("Reorg")}
        </Button>
      </Group>
      <ProblemAlert problem={acting.error === null ? null : describeProblem(acting.error)} />
    </div>
  );
}
