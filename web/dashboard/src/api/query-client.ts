import { notifications } from "@mantine/notifications";
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { describeProblem } from "./problem.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The form that sent it shows what is wrong itself. */
      readonly isShownByForm?: boolean;
    };
  }
}

/** What was read stays good for a few seconds; the client underneath sends again what failed, so nothing does here. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: false },
      mutations: { retry: false },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isShownByForm === true) return;
        const { title, detail } = describeProblem(error);
        notifications.show({ color: "red", title, message: detail, autoClose: 10_000 });
      },
    }),
  });
}
