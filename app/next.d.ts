declare module '*.css';

declare namespace NodeJS {
  interface ProcessEnv {
    // Next declares it as required, for every process of the project; the processes that we start have no use for it.
    NODE_ENV?: 'development' | 'production' | 'test';
  }
}
