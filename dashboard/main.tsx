/** Starts the dashboard. */
import '@mantine/core/styles.css';
import './app/fonts.css';
import './app/dashboard.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { dashboardSessionContracts } from '../shared/contracts/dashboard-sessions.ts';
import { queryClientFor } from './app/query-client.ts';
import { router } from './app/router.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { LanguageProvider } from './language/language.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const queryClient = queryClientFor(dashboardSessionContracts.getSession.operationId);

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
