import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { useAction } from "../../components/use-action.ts";
import { plural } from "../../language/t.ts";

/**
 * Approves payouts one by one. A refusal is reported per payout and does not stop the others.
 */
export function useApprovals(onSettled: () => void) {
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const approving = useAction({
    mutationFn: async (ids: readonly string[]) => {
      const refused = new Map<string, string>();
      for (const id of ids) {
        try {
          await api.post("/payout/{id}/approve/", { id });
        } catch (error) {
          refused.set(id, describeProblem(error).detail);
        }
      }
      return { refused, approved: ids.length - refused.size };
    },
    onSuccess: ({ refused, approved }) => {
      setRefusals(refused);
      if (approved > 0)
        notifications.show({
          message: plural(approved, "{count} payout approved", "{count} payouts approved"),
        });
      onSettled();
    },
  });
  return { approve: approving.mutate, refusals, isApproving: approving.isPending };
}
