declare module '*.css';

declare namespace NodeJS {
  interface ProcessEnv {
    // Next declares it as required in every process; ours do not set it.
    NODE_ENV?: 'development' | 'production' | 'test';
  }
}
