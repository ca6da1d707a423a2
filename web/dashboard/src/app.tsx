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
// When a session ends, the next person must not see cached data of the previous one.
session.subscribe(() => {
  if (session.token() === null) queryClient.clear();
});

/** The Content-Security-Policy allows style elements only with this page's nonce. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
}

// react-remove-scroll (dialogs) inserts its own style element and reads the nonce from here.
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
          {/* Under the pointer they would stay: it rests on the button that was pressed, mostly at the bottom or the right. */}
          <Notifications position="top-center" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
