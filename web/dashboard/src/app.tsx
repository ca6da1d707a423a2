import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { session } from "./api/api.ts";
import { createQueryClient } from "./api/query-client.ts";
import { router } from "./shell/router.tsx";
import { cssVariables, theme } from "./theme.ts";

const queryClient = createQueryClient();
// Whoever signs in next, also after a session that ended by itself, is shown nothing of what somebody else was shown.
session.subscribe(() => {
  if (session.token() === null) queryClient.clear();
});

/** The page's policy lets only style elements in that carry the nonce of this very page. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
}

// The library that keeps the page behind a dialog from scrolling writes a style element of its own, and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
