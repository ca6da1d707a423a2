import { Button, Group, NativeSelect, NumberInput, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useAction } from "../../components/use-action.ts";
import { mineBlocks, reorgChain } from "./simulator-api.ts";

/** The miners of each chain: they make blocks, and take some back. */
export function ChainControls() {
  const { data = [] } = useQuery({
    queryKey: ["chains", "simulator"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
    refetchInterval: 2_000,
  });
  return (
    <Section title="Chains">
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
  const [fate, setFate] = useState("wait");
  const queryClient = useQueryClient();
  const acting = useAction({
    mutationFn: (what: "mine" | "reorg") =>
      what === "mine" ? mineBlocks(chain, Number(count)) : reorgChain(chain, Number(count), fate),
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
          Block {height ?? "–"}
        </Text>
      </div>
      <Group align="end" gap="xs" wrap="nowrap">
        <NumberInput
          label="Blocks"
          aria-label={`Blocks of ${name}`}
          w={72}
          min={1}
          max={1_000}
          allowDecimal={false}
          hideControls
          value={count}
          onChange={setCount}
        />
        <Button
          loading={acting.isPending}
          onClick={() => {
            acting.mutate("mine");
          }}
        >
          Mine<span className="only-heard">&nbsp;on {name}</span>
        </Button>
      </Group>
      <Group align="end" gap="xs" wrap="nowrap">
        <NativeSelect
          label="Their payments"
          aria-label={`What becomes of the payments in replaced blocks of ${name}`}
          w={124}
          value={fate}
          onChange={({ currentTarget }) => {
            setFate(currentTarget.value);
          }}
          data={[
            { value: "wait", label: "wait again" },
            { value: "include", label: "stay" },
          ]}
        />
        <Button
          variant="default"
          loading={acting.isPending}
          onClick={() => {
            acting.mutate("reorg");
          }}
        >
          Re-org<span className="only-heard">&nbsp;of {name}</span>
        </Button>
      </Group>
      <ProblemAlert problem={acting.error === null ? null : describeProblem(acting.error)} />
    </div>
  );
}
