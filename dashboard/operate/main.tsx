/** Starts the operators' pages, which are in English, like the command line and the documentation. */
import '@mantine/core/styles.css';
import '../app/fonts.css';
import '../app/dashboard.css';
import './operate.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { operateSessionContracts } from '../../shared/contracts/operate-session.ts';
import { queryClientFor } from '../app/query-client.ts';
import { cssVariables, theme } from '../app/theme.ts';
import { LanguageProvider } from '../language/language.tsx';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const queryClient = queryClientFor(operateSessionContracts.getOperator.operationId);

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <LanguageProvider only="en">
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
